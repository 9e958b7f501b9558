//! What to do with a directory of `perf record --threads`.

/// How to print a directory of `perf record --threads`, in words that follow "print".
macro_rules! print_directory {
    () => {
        "the whole directory with `perf script -i DIRECTORY -F +addr > trace.txt`, where DIRECTORY holds `data` and `data.0`, and import that text"
    };
}
pub(super) use print_directory;

pub(super) const DIRECTORY: &str = concat!("print ", print_directory!());
