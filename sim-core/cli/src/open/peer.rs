//! Which user made a connection. The token of the page stands in the command line of the browser. Other users of the
//! machine can read it there, so the kernel must also show that a connection is of this user.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};

/// The kernel's tables of connections (proc(5)). A program can reach the server through either.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];
const ROOT: u32 = 0;
/// The state of a socket that waits for connections.
const LISTENS: &str = "0A";
/// The state of an open connection. A row in another state has lost its user: the kernel shows 0.
const IS_OPEN: &str = "01";

/// The connections of this machine, where the kernel shows them.
pub(super) struct Peers {
    me: u32,
    own: SocketAddrV4,
    /// Whether this Linux runs in Windows (WSL), whose browsers connect as root.
    is_in_windows: bool,
}

impl Peers {
    /// Returns nothing if the kernel does not show even our own socket, which listens on this port.
    pub(super) fn seen_from(port: u16) -> Option<Self> {
        let me = me()?;
        let own = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let is_in_windows = kernel.to_lowercase().contains("microsoft");
        let is_seen = users(&tables(), (own, None), LISTENS).contains(&me);
        is_seen.then_some(Self { me, own, is_in_windows })
    }

    /// Returns whether the kernel shows that this user made the connection.
    pub(super) fn allow(&self, peer: SocketAddr) -> bool {
        self.allow_in(&tables(), peer)
    }

    fn allow_in(&self, tables: &[String], peer: SocketAddr) -> bool {
        let SocketAddr::V4(peer) = peer else { return false };
        match users(tables, (peer, Some(self.own)), IS_OPEN)[..] {
            [user] => user == self.me || (self.is_in_windows && user == ROOT),
            _ => false,
        }
    }
}

fn tables() -> Vec<String> {
    TABLES.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no numbers of users")]
fn me() -> Option<u32> {
    Some(rustix::process::getuid().as_raw())
}

#[cfg(not(unix))]
fn me() -> Option<u32> {
    None
}

/// Returns the user of each socket in this state with the local address and, if it is given, the remote address.
fn users(
    tables: &[String],
    (local, remote): (SocketAddrV4, Option<SocketAddrV4>),
    state: &str,
) -> Vec<u32> {
    let user = |line: &str| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [_, own, other, found, _, _, _, user, ..] = words[..] else { return None };
        let is_wanted = found == state
            && is_address(own, local)
            && remote.is_none_or(|remote| is_address(other, remote));
        if is_wanted { user.parse().ok() } else { None }
    };
    tables.iter().flat_map(|table| table.lines()).filter_map(user).collect()
}

/// Returns whether the word of a table is this address, also where the IPv6 table has it (`::ffff:127.0.0.1`).
fn is_address(word: &str, address: SocketAddrV4) -> bool {
    // The kernel prints groups of four bytes, each as a number of this processor.
    let group = |bytes| format!("{:08X}", u32::from_ne_bytes(bytes));
    let end = format!("{}:{:04X}", group(address.ip().octets()), address.port());
    let before = [[0; 4], [0; 4], [0, 0, 0xff, 0xff]].map(group).concat();
    word.strip_suffix(&end).is_some_and(|rest| rest.is_empty() || rest == before)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: u32 = 1000;

    /// Returns whether a connection from port 0xa2c4 to port 0x1f90 is allowed. The rows are: local and remote address,
    /// state, and user.
    fn is_allowed(rows: &str, is_in_windows: bool) -> bool {
        let group = |bytes| format!("{:08X}", u32::from_ne_bytes(bytes));
        let mapped = [[0; 4], [0; 4], [0, 0, 0xff, 0xff]].map(group).concat();
        let row = |row: &str| {
            let [local, remote, state, user] = row.split(' ').collect::<Vec<_>>()[..] else {
                return row.to_owned();
            };
            format!("   0: {local} {remote} {state} 00000000:00000000 00:00000000 0 {user} 0 9 1")
        };
        let text = rows.split(", ").map(row).collect::<Vec<_>>().join("\n");
        let text = text.replace("MAPPED", &mapped).replace("HERE", &group([127, 0, 0, 1]));
        let own = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0x1f90);
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 0xa2c4));
        Peers { me: ME, own, is_in_windows }.allow_in(&[String::new(), text], peer)
    }

    #[test]
    fn an_open_connection_of_this_user_is_allowed() {
        assert!(is_allowed("HERE:A2C4 HERE:1F90 01 1000", false));
        assert!(is_allowed("MAPPEDHERE:A2C4 MAPPEDHERE:1F90 01 1000", false));
        assert!(is_allowed("HERE:A2C4 HERE:1F91 01 1001, HERE:A2C4 HERE:1F90 01 1000", false));
    }

    #[test]
    fn connections_of_others_and_of_no_one_are_not() {
        for rows in [
            "garbled",
            "HERE:A2C4 HERE:1F90 01 1001",
            "HERE:A2C4 HERE:1F90 01 0",
            "HERE:A2C5 HERE:1F90 01 1000",
            // This user's connection from the same port to another server, before or after the one in question.
            "HERE:A2C4 HERE:1F91 01 1000, HERE:A2C4 HERE:1F90 01 1001",
            "HERE:A2C4 HERE:1F91 06 0, HERE:A2C4 HERE:1F90 01 1001",
            "HERE:A2C4 HERE:1F91 01 1000",
            // A connection that has ended, and two rows of one connection.
            "HERE:A2C4 HERE:1F90 06 0",
            "HERE:A2C4 HERE:1F90 05 1000",
            "HERE:A2C4 HERE:1F90 01 1000, HERE:A2C4 HERE:1F90 01 1001",
            // An IPv6 address that only ends like this one.
            "FE800000000000000000000HERE:A2C4 FE800000000000000000000HERE:1F90 01 1000",
        ] {
            assert!(!is_allowed(rows, false), "{rows}");
        }
    }

    #[test]
    fn windows_connects_as_root_to_the_linux_in_it() {
        assert!(is_allowed("HERE:A2C4 HERE:1F90 01 0", true));
        assert!(!is_allowed("HERE:A2C4 HERE:1F91 06 0, HERE:A2C4 HERE:1F90 01 1001", true));
    }

    #[test]
    fn the_kernel_shows_a_real_connection() {
        let server = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let own = server.local_addr().unwrap();
        let Some(peers) = Peers::seen_from(own.port()) else { return };
        let client = std::net::TcpStream::connect(own).unwrap();
        let peer = client.local_addr().unwrap();
        assert!(peers.allow(peer));
        drop(client);
        assert!(!peers.allow(peer));
    }
}
