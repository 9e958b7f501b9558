//! Which user made a connection. The address of the page stands in the command line of the browser, which other users
//! of the machine can read, so the token alone does not keep them out.

use std::net::{Ipv4Addr, SocketAddr};

/// The kernel's tables of connections (proc(5)). A program can reach the server through either.
const TABLES: [&str; 2] = ["/proc/net/tcp", "/proc/net/tcp6"];
/// The administrator can read everything. Windows, too, connects as this user to a Linux system that it hosts.
const ROOT: u32 = 0;
/// The state of a socket that waits for connections.
const LISTENS: &str = "0A";

/// The connections of this machine, where the kernel shows them.
pub(super) struct Peers {
    me: u32,
}

impl Peers {
    /// Returns nothing if the kernel does not show even our own socket, which listens on this port.
    pub(super) fn seen_from(port: u16) -> Option<Self> {
        let me = me()?;
        let own = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let is_seen = |table: &str| user_of(table, own, Some(LISTENS)) == Some(me);
        tables().any(|table| is_seen(&table)).then_some(Self { me })
    }

    /// Returns whether the connection is of this user, or of none, as one from another machine's proxy is.
    pub(super) fn allow(&self, peer: SocketAddr) -> bool {
        let users = tables().filter_map(|table| user_of(&table, peer, None));
        users.into_iter().all(|user| user == self.me || user == ROOT)
    }
}

fn tables() -> impl Iterator<Item = String> {
    TABLES.iter().filter_map(|path| std::fs::read_to_string(path).ok())
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

/// Returns the user of the socket with this address, if the table has one.
fn user_of(table: &str, socket: SocketAddr, state: Option<&str>) -> Option<u32> {
    let SocketAddr::V4(socket) = socket else { return None };
    // The kernel prints the address as a number of this processor. An IPv6 table has it at the end.
    let number = u32::from_ne_bytes(socket.ip().octets());
    let wanted = format!("{number:08X}:{:04X}", socket.port());
    table.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let local = words.nth(1)?;
        let has_state = words.nth(1).is_some_and(|word| state.is_none_or(|state| word == state));
        let user = words.nth(3)?.parse().ok()?;
        (has_state && local.ends_with(&wanted)).then_some(user)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_of_a_connection_is_found_in_both_tables() {
        let here = format!("{:08X}", u32::from_ne_bytes([127, 0, 0, 1]));
        let table = format!(
            "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: {here}:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 31537 1 0
   1: {here}:A2C4 {here}:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 31540 1 0
   2: 0000000000000000FFFF0000{here}:A2C5 0000000000000000FFFF0000{here}:1F90 01 0:0 00:0 0  1002 0 9 1
   3: garbled"
        );
        let user = |port: u16, state| {
            user_of(&table, SocketAddr::from((Ipv4Addr::LOCALHOST, port)), state)
        };
        assert_eq!(user(8080, Some(LISTENS)), Some(1000));
        assert_eq!(user(0xa2c4, None), Some(1001));
        assert_eq!(user(0xa2c4, Some(LISTENS)), None);
        assert_eq!(user(0xa2c5, None), Some(1002));
        assert_eq!(user(0xa2c6, None), None);
    }
}
