//! `pagewalk open` as a server: what it gives to whom.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

use expect_test::{Expect, expect};

use crate::support::{pagewalk, printed};

/// A running server. It ends with the test.
struct Open {
    child: Child,
    port: u16,
    folder: String,
    token: String,
    /// The files of the test.
    place: PathBuf,
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a site, and a trace of this text, and serves both.
fn open(name: &str, trace: &[u8]) -> Open {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("open-{name}"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(place.join("site/assets")).unwrap();
    fs::write(place.join("site/index.html"), "<title>Pagewalk</title>").unwrap();
    fs::write(place.join("site/assets/a.wasm"), "wasm").unwrap();
    fs::write(place.join("site/sw.js"), "worker").unwrap();
    fs::write(place.join("secret.txt"), "secret").unwrap();
    let file = place.join("my träce.lackey");
    fs::write(&file, trace).unwrap();
    let mut command = pagewalk(["open", file.to_str().unwrap(), "--no-browser"]);
    command.env("PAGEWALK_SITE", place.join("site"));
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    let (_, address) = line.trim_end().split_once(" is open at http://127.0.0.1:").unwrap();
    let (port, path) = address.split_once('/').unwrap();
    let (folder, token) = path.split_once("/?opened=").unwrap();
    let (folder, token) = (format!("/{folder}/"), token.to_owned());
    Open { child, port: port.parse().unwrap(), folder, token, place }
}

impl Open {
    /// Sends this head, in which words in capital letters stand for those of the server. Returns the head of the answer without
    /// the date, and its body.
    fn ask(&self, head: &str) -> (String, Vec<u8>) {
        let head = head
            .replace("HOST", &format!("Host: 127.0.0.1:{}", self.port))
            .replace("PORT", &self.port.to_string())
            .replace("FOLDER/", &self.folder)
            .replace("TOKEN", &format!("Authorization: Bearer {}", self.token));
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "{}\r\nConnection: close\r\n\r\n", head.replace('\n', "\r\n")).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let text = String::from_utf8_lossy(&answer[..end]).replace('\r', "");
        let lines = text.lines().filter(|line| !line.starts_with("Date:"));
        (lines.flat_map(|line| [line, "\n"]).collect(), answer[end + 4..].to_vec())
    }

    #[track_caller]
    fn check(&self, head: &str, expected: &Expect) {
        let (head, body) = self.ask(head);
        let common =
            ["Connection: close", "Cache-Control:", "Content-Security", "Referrer", "X-Content"];
        let lines = head.lines().filter(|line| !common.iter().any(|it| line.starts_with(it)));
        let head: String = lines.flat_map(|line| [line, "\n"]).collect();
        let body = String::from_utf8_lossy(&body).replace('\r', "");
        expected.assert_eq(&format!("{head}\n{body}\n"));
    }

    /// The status of the answer.
    fn status(&self, head: &str) -> String {
        let (head, _) = self.ask(head);
        head.lines().next().unwrap().split(' ').nth(1).unwrap().to_owned()
    }
}

const LINES: &[u8] = b" L 1000,8\n";

#[test]
fn the_site_is_served_without_its_worker_and_the_trace_with_the_token() {
    let open = open("site", LINES);
    open.check(
        "GET FOLDER/?opened=any HTTP/1.1\nHOST",
        &expect![[r"
            HTTP/1.1 200 OK
            Content-Type: text/html; charset=utf-8
            Content-Length: 23

            <title>Pagewalk</title>
        "]],
    );
    open.check(
        "GET FOLDER/assets/a.wasm HTTP/1.1\nHOST\nAccept-Encoding: gzip, br",
        &expect![[r"
            HTTP/1.1 200 OK
            Content-Type: application/wasm
            Content-Length: 4

            wasm
        "]],
    );
    open.check(
        "HEAD FOLDER/assets/a.wasm HTTP/1.1\nHOST",
        &expect![[r"
            HTTP/1.1 200 OK
            Content-Type: application/wasm
            Content-Length: 4


        "]],
    );
    open.check(
        "GET FOLDER/trace HTTP/1.1\nHost: localhost:PORT\nTOKEN",
        &expect![[r"
            HTTP/1.1 200 OK
            Content-Type: application/octet-stream
            Content-Disposition: attachment; filename*=UTF-8''my%20tr%C3%A4ce.lackey
            Cross-Origin-Resource-Policy: same-origin
            Pagewalk-Size: 10
            Transfer-Encoding: chunked

            A
             L 1000,8

            0


        "]],
    );
    assert_eq!(open.status("GET FOLDER/sw.js HTTP/1.1\nHOST"), "404");
}

#[test]
fn every_answer_forbids_to_store_it_to_frame_it_and_to_name_its_address() {
    let open = open("headers", LINES);
    for path in ["FOLDER/", "FOLDER/trace", "FOLDER/none", "/"] {
        let (head, _) = open.ask(&format!("GET {path} HTTP/1.1\nHOST\nOrigin: https://other"));
        for line in [
            "Cache-Control: no-store\n",
            "Content-Security-Policy: frame-ancestors 'self'\n",
            "Referrer-Policy: no-referrer\n",
            "X-Content-Type-Options: nosniff\n",
        ] {
            assert!(head.contains(line), "{path}: {head}");
        }
        assert!(!head.contains("Access-Control"), "{path}: {head}");
    }
}

#[test]
fn without_the_token_there_is_no_trace() {
    let open = open("token", LINES);
    open.check(
        "GET FOLDER/trace HTTP/1.1\nHOST",
        &expect![[r"
            HTTP/1.1 401 Unauthorized
            Content-Type: text/plain; charset=UTF-8
            Content-Length: 51

            Open the address that `pagewalk open` printed last.
        "]],
    );
    let long = format!("{}0", open.token);
    let wrong = [&open.token[1..], &long, "", &open.token.to_uppercase()].map(str::to_owned);
    for token in wrong {
        let head = format!("GET FOLDER/trace HTTP/1.1\nHOST\nAuthorization: Bearer {token}");
        assert_eq!(open.status(&head), "401", "{token}");
    }
    let in_query = format!("GET FOLDER/trace?opened={} HTTP/1.1\nHOST", open.token);
    assert_eq!(open.status(&in_query), "401");
    assert_eq!(open.status("GET FOLDER/trace HTTP/1.1\nHOST\nTOKEN"), "200");
}

#[test]
fn a_host_of_another_name_or_port_gets_nothing() {
    let open = open("host", LINES);
    open.check(
        "GET FOLDER/ HTTP/1.1\nHost: evil.example:PORT",
        &expect![[r"
            HTTP/1.1 403 Forbidden
            Content-Type: text/plain; charset=UTF-8
            Content-Length: 46

            Open the address that `pagewalk open` printed.
        "]],
    );
    for host in [
        "Host: 127.0.0.1",
        "Host: 127.0.0.1:1",
        "Host: 127.0.0.1:PORT.evil.example",
        "Host: localhost",
        "Host: [::1]:PORT",
        "HOST\nHost: evil.example",
        "Accept: */*",
    ] {
        let head = format!("GET FOLDER/trace HTTP/1.1\n{host}\nTOKEN");
        assert_eq!(open.status(&head), "403", "{host}");
    }
}

#[test]
fn paths_that_lead_out_of_the_site_are_not_found() {
    let open = open("paths", LINES);
    for path in [
        "/",
        "/index.html",
        "/trace",
        "FOLDER/../secret.txt",
        "FOLDER/..%2fsecret.txt",
        "FOLDER/%2e%2e/secret.txt",
        "FOLDER/assets/../../secret.txt",
        "FOLDER//etc/passwd",
        "FOLDER/assets",
        "FOLDER/assets/",
        "http://127.0.0.1:PORTFOLDER/trace",
    ] {
        assert_eq!(open.status(&format!("GET {path} HTTP/1.1\nHOST\nTOKEN")), "404", "{path}");
    }
}

#[test]
fn other_methods_are_refused() {
    let open = open("methods", LINES);
    open.check(
        "POST FOLDER/trace HTTP/1.1\nHOST\nTOKEN\nContent-Length: 0",
        &expect![[r"
            HTTP/1.1 405 Method Not Allowed
            Content-Type: text/plain; charset=UTF-8
            Allow: GET, HEAD
            Content-Length: 31

            Only GET and HEAD are answered.
        "]],
    );
    for method in ["OPTIONS", "PUT", "DELETE", "TRACE"] {
        assert_eq!(open.status(&format!("{method} FOLDER/trace HTTP/1.1\nHOST\nTOKEN")), "405");
    }
}

#[test]
fn a_file_that_is_gone_is_said() {
    let open = open("gone", LINES);
    fs::remove_file(open.place.join("my träce.lackey")).unwrap();
    let (head, body) = open.ask("GET FOLDER/trace HTTP/1.1\nHOST\nTOKEN");
    assert!(head.starts_with("HTTP/1.1 410 Gone\n"), "{head}");
    let body = String::from_utf8(body).unwrap();
    assert!(body.ends_with("my träce.lackey: there is no such file"), "{body}");
}

/// Returns the length of a body of chunks.
fn length(mut body: &[u8]) -> usize {
    let mut sum = 0;
    loop {
        let end = body.windows(2).position(|two| two == b"\r\n").unwrap();
        let size = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if size == 0 {
            return sum;
        }
        sum += size;
        body = &body[end + 2 + size + 2..];
    }
}

#[test]
fn a_big_file_is_streamed_while_the_site_answers() {
    let open = open("big", LINES);
    let file = fs::OpenOptions::new().write(true).open(open.place.join("my träce.lackey")).unwrap();
    // The file has no blocks, so the disk holds nothing.
    file.set_len(300 << 20).unwrap();
    let mut slow = TcpStream::connect(("127.0.0.1", open.port)).unwrap();
    write!(
        slow,
        "GET {}trace HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nConnection: close\r\n\r\n",
        open.folder, open.port, open.token
    )
    .unwrap();
    assert_eq!(open.status("GET FOLDER/ HTTP/1.1\nHOST"), "200");
    let (head, body) = open.ask("GET FOLDER/trace HTTP/1.1\nHOST\nTOKEN");
    assert!(head.contains("Pagewalk-Size: 314572800\n"), "{head}");
    assert_eq!(length(&body), 300 << 20);
}

/// Browsers keep their connections, and open several at once.
#[test]
fn connections_that_stay_open_keep_no_other_waiting() {
    let open = open("connections", LINES);
    let ask = |mut stream: &TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        write!(stream, "GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", open.folder, open.port)
            .unwrap();
        let mut answer = [0; 15];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 200 OK");
    };
    for _ in 0..20 {
        let connect = || TcpStream::connect(("127.0.0.1", open.port)).unwrap();
        let streams: [TcpStream; 12] = std::array::from_fn(|_| connect());
        // The last one is asked first: the others have no request yet.
        streams.iter().rev().for_each(ask);
    }
}

/// The page asks how a list of addresses is read, and shows counters.
#[test]
fn a_file_that_is_no_trace_is_an_error_before_the_page_opens() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("open-no-trace");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("index.html"), "").unwrap();
    for (name, text, error) in [
        ("notes.txt", "These are notes.\n", "line 1: the file has no format that Pagewalk"),
        ("prog", "\u{7f}ELF\u{2}\u{1}\u{1}", "the file looks like a program (ELF)"),
        ("empty.lackey", "", "the file is empty"),
    ] {
        let file = place.join(name);
        fs::write(&file, text).unwrap();
        let mut command = pagewalk(["open", "--no-browser", file.to_str().unwrap()]);
        let output = command.env("PAGEWALK_SITE", &place).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        let expected = format!("pagewalk: {}: {error}", file.display());
        assert!(errors.starts_with(&expected), "{errors}");
        assert_eq!(output.status.code(), Some(1));
    }
    for text in ["0x1000 7\n0x2000 9\n", "# started on Mon\n\n 5,000 cycles\n"] {
        let file = place.join("shown");
        fs::write(&file, text).unwrap();
        let mut command = pagewalk(["open", "--no-browser", file.to_str().unwrap()]);
        command.env("PAGEWALK_SITE", &place).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.starts_with("shown is open at http://127.0.0.1:"), "{text}: {line}");
    }
}

#[test]
fn standard_input_is_packed_for_the_page() {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("open-stdin");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("index.html"), "").unwrap();
    let mut command = pagewalk(["open", "-", "--no-browser"]);
    command.env("PAGEWALK_SITE", &place).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(LINES).unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("standard input is open at http://127.0.0.1:"), "{line}");
}

#[test]
#[cfg(unix)]
fn a_browser_is_started_with_the_address_and_ctrl_c_ends_the_server() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("open-browser");
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("index.html"), "").unwrap();
    let browser = place.join("xdg-open");
    fs::write(&browser, "#!/bin/sh\necho \"$1\" > seen.part\nmv seen.part seen\n").unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", place.display(), std::env::var("PATH").unwrap());
    let mut command = pagewalk(["open"]);
    command.current_dir(&place).env("PATH", path).env("PAGEWALK_SITE", &place);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut line).unwrap();
    let seen = place.join("seen");
    for _ in 0..200 {
        if seen.exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(format!("Pagewalk is open at {}", fs::read_to_string(&seen).unwrap()), line);
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_taken_port_is_an_error() {
    let open = open("taken", LINES);
    let output = pagewalk(["open", "--no-browser", "--port", &open.port.to_string()])
        .env("PAGEWALK_SITE", open.place.join("site"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text, format!("pagewalk: --port {}: another program listens on it\n", open.port));
    assert!(printed("open --help").contains("--no-browser"));
}
