//! The files of the site: those in the program, or those of a folder that the environment names.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::bail;
use flate2::read::GzDecoder;
use hyper::body::Bytes;

use crate::input::io_error;

/// The files that the build found, by name: whether they are gzip streams, and their bytes.
static EMBEDDED: &[(&str, bool, &[u8])] = include!(concat!(env!("OUT_DIR"), "/site.rs"));

/// The service worker keeps the site for later visits, at an address that is another site by then.
const WORKER: &str = "sw.js";

pub(crate) struct Site {
    files: BTreeMap<String, SiteFile>,
}

pub(super) struct SiteFile {
    bytes: Bytes,
    pub(super) is_packed: bool,
}

impl Site {
    /// # Errors
    /// The program has no site, or the folder has none.
    pub(crate) fn new() -> anyhow::Result<Self> {
        Self::of(EMBEDDED, env::var_os("PAGEWALK_SITE").map(PathBuf::from).as_deref())
    }

    fn of(
        embedded: &[(&'static str, bool, &'static [u8])],
        folder: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let mut files = BTreeMap::new();
        if let Some(folder) = folder {
            collect(folder, "", &mut files).map_err(|error| io_error(folder, &error))?;
            if !files.contains_key("index.html") {
                bail!("PAGEWALK_SITE={}: there is no built site", folder.display());
            }
        } else if embedded.is_empty() {
            bail!(
                "this program was built without the site: build it with `npm run build:cli`, or set PAGEWALK_SITE to the folder of a built site"
            );
        }
        if files.is_empty() {
            files.extend(embedded.iter().map(|&(name, is_packed, bytes)| {
                (name.to_owned(), SiteFile { bytes: Bytes::from_static(bytes), is_packed })
            }));
        }
        files.remove(WORKER);
        Ok(Self { files })
    }

    /// Only names of files of the site are found, so no path leads out of it.
    pub(super) fn file(&self, name: &str) -> Option<&SiteFile> {
        self.files.get(if name.is_empty() { "index.html" } else { name })
    }
}

impl SiteFile {
    /// The bytes to send to a client that takes gzip, or does not.
    pub(super) fn bytes(&self, takes_gzip: bool) -> io::Result<Bytes> {
        if !self.is_packed || takes_gzip {
            return Ok(self.bytes.clone());
        }
        let mut plain = Vec::new();
        GzDecoder::new(&*self.bytes).read_to_end(&mut plain)?;
        Ok(plain.into())
    }
}

/// Reads the files of a folder. Links are not followed.
fn collect(folder: &Path, before: &str, files: &mut BTreeMap<String, SiteFile>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else if kind.is_file() {
            let bytes = fs::read(entry.path())?.into();
            files.insert(name, SiteFile { bytes, is_packed: false });
        }
    }
    Ok(())
}

/// What browsers need to run scripts, wasm and styles. They guess nothing.
pub(super) fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("html", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "txt" | "md" => "text/plain; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use std::io::Write as _;

    #[test]
    fn a_program_without_the_site_says_how_to_get_it() {
        let error = Site::of(&[], None).err().map(|error| error.to_string());
        expect![[r#"
            Some(
                "this program was built without the site: build it with `npm run build:cli`, or set PAGEWALK_SITE to the folder of a built site",
            )
        "#]]
        .assert_debug_eq(&error);
    }

    #[test]
    fn a_packed_file_is_unpacked_for_a_client_without_gzip() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(b"body").expect("memory");
        let packed: &'static [u8] = packed.finish().expect("memory").leak();
        let embedded = [("index.html", true, packed), ("sw.js", false, b"worker")];
        let site = Site::of(&embedded, None).unwrap_or_else(|error| panic!("{error}"));
        let page = site.file("").expect("the first page");
        assert_eq!(*page.bytes(true).expect("gzip"), *packed);
        assert_eq!(*page.bytes(false).expect("gzip"), *b"body");
        assert!(site.file("sw.js").is_none(), "the worker is not served");
    }
}
