//! Arguments of `cc` and `c++`.

use std::ffi::OsString;

use clap::Args;

#[derive(Args)]
pub(crate) struct CcArgs {
    /// The arguments of the compiler
    #[arg(
        value_name = "ARGUMENTS",
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub(crate) arguments: Vec<OsString>,
}
