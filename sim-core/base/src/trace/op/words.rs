//! Reads operations from text: a word, an address, a length and operands, of which all but the word depend on
//! the operation.
//!
//! ```text
//! mov-cr3              pcid=2 keep             switch to the process of the row; keep = bit 63
//! invlpg     0x1000
//! invpcid    0x1000    type=0 pcid=2           types 0 to 3; the address is that of type 0
//! mov-cr4              pge=0                   pge, pcide, smep, smap or pke, 0 or 1
//! mov-cr0              wp=0                    or pg: paging off and on again
//! wrmsr                nxe=0
//! stac  clac  syscall  sysret                  no operands
//! wrpkru               0x4
//! mprotect   0x1000 8192 r-x key=3             r w x or -; none for nothing
//! munmap     0x1000 8192
//! madvise    0x1000 8192 dontneed
//! fork                 child=7                 a process that has no memory yet
//! set-entry  0x1000    level=1 clear=a set=w+xd   flags by name, or a number
//! invept               type=1 eptp=0x1000
//! invvpid    0x1000    type=0 vpid=1
//! vm-switch            vm=2 vpid=2             the core runs virtual machine 2 from now on; asid=2 on AMD
//! host-unmap     0x1000  for=gL1               what of the guest is at the virtual address: its table, or data
//! host-protect   0x1000  r-x for=data
//! host-set-entry 0x1000  for=data level=1 clear=r   flags of the host's entry: r w x a d ps, or a number
//! ```
//!
//! `mprotect`, `munmap`, `madvise`, `fork`, `host-unmap` and `host-protect` invalidate what they must in the
//! TLBs. With `no-flush`, they leave that to later operations.

use super::{ControlBit, HostPart, InveptScope, InvpcidScope, InvvpidScope, MemoryAdvice, Op};
use crate::addr::{Hex, parse_hex};

/// The address, the length and the words after the word of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Operands<'a> {
    pub address: Option<u64>,
    /// The length in bytes.
    pub length: Option<u64>,
    pub words: Vec<&'a str>,
}

const WORDS: [&str; 22] = [
    "mov-cr3",
    "invlpg",
    "invpcid",
    "mov-cr4",
    "mov-cr0",
    "wrmsr",
    "stac",
    "clac",
    "syscall",
    "sysret",
    "wrpkru",
    "mprotect",
    "munmap",
    "madvise",
    "fork",
    "set-entry",
    "invept",
    "invvpid",
    "vm-switch",
    "host-unmap",
    "host-protect",
    "host-set-entry",
];

/// Returns whether a word in lower case names an operation.
pub fn is_op_word(word: &str) -> bool {
    WORDS.contains(&word)
}

/// Flags of a page-table entry that have a name in texts.
const FLAGS: [(&str, u64); 8] = [
    ("p", 1),
    ("w", 1 << 1),
    ("u", 1 << 2),
    ("a", 1 << 5),
    ("d", 1 << 6),
    ("ps", 1 << 7),
    ("g", 1 << 8),
    ("xd", 1 << 63),
];

/// Flags of a host's entry, in the format of EPT entries, that have a name in texts.
const HOST_FLAGS: [(&str, u64); 6] =
    [("r", 1), ("w", 1 << 1), ("x", 1 << 2), ("ps", 1 << 7), ("a", 1 << 8), ("d", 1 << 9)];

impl Op {
    /// Reads an operation, whose word is in lower case.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(word: &str, operands: &Operands<'_>) -> Result<Self, String> {
        let mut rest = Reader { word, operands, taken: vec![false; operands.words.len()] };
        let op = rest.op()?;
        match rest.taken.iter().position(|taken| !taken) {
            Some(at) => Err(format!("{word} has no operand `{}`", operands.words[at])),
            None => Ok(op),
        }
    }
}

/// Reads the text that [`std::fmt::Display`] writes.
impl std::str::FromStr for Op {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace().peekable();
        let word = words.next().unwrap_or_default();
        let address = words.next_if(|word| word.starts_with("0x")).and_then(parse_hex);
        let length = words.peek().and_then(|word| word.parse().ok());
        if length.is_some() {
            words.next();
        }
        Self::parse(word, &Operands { address, length, words: words.collect() })
    }
}

/// Takes the operands one by one. An operand that remains at the end is an error.
struct Reader<'a, 'b> {
    word: &'a str,
    operands: &'a Operands<'b>,
    taken: Vec<bool>,
}

impl Reader<'_, '_> {
    fn op(&mut self) -> Result<Op, String> {
        let control = |bit, on| Ok(Op::SetControl { bit, on });
        match self.word {
            "mov-cr3" => Ok(Op::MovCr3 { pcid: self.pcid()?, keep: self.flag("keep") }),
            "invlpg" => Ok(Op::Invlpg { address: self.address()? }),
            "invpcid" => {
                let scope = self.scope(&InvpcidScope::ALL, 0)?;
                let address = self.address_if(scope == InvpcidScope::Address)?;
                Ok(Op::Invpcid { scope, pcid: self.pcid()?, address })
            }
            "mov-cr4" => self.control(&[
                ControlBit::Pge,
                ControlBit::Pcide,
                ControlBit::Smep,
                ControlBit::Smap,
                ControlBit::Pke,
            ]),
            "mov-cr0" => {
                if self.flag("pg") {
                    control(ControlBit::Pg, true)
                } else {
                    self.control(&[ControlBit::Wp])
                }
            }
            "wrmsr" => self.control(&[ControlBit::Nxe]),
            "stac" => control(ControlBit::Ac, true),
            "clac" => control(ControlBit::Ac, false),
            "syscall" => control(ControlBit::Supervisor, true),
            "sysret" => control(ControlBit::Supervisor, false),
            "wrpkru" => self.wrpkru(),
            "mprotect" => self.mprotect(),
            "munmap" => {
                let (start, length) = self.range()?;
                Ok(Op::Munmap { start, length, flush: !self.flag("no-flush") })
            }
            "madvise" => {
                let (start, length) = self.range()?;
                let flush = !self.flag("no-flush");
                if !self.flag("dontneed") {
                    return Err(self.wrong("give the advice: dontneed"));
                }
                Ok(Op::Madvise { start, length, advice: MemoryAdvice::Dontneed, flush })
            }
            "fork" => {
                let flush = !self.flag("no-flush");
                let child = self.number("child", u64::from(u32::MAX))?;
                let child = child.ok_or_else(|| self.wrong("give the process: child=7"))?;
                Ok(Op::Fork { child: u32::try_from(child).unwrap_or(u32::MAX), flush })
            }
            "set-entry" => self.set_entry(),
            "host-unmap" => {
                let (address, part) = (self.address()?, self.part()?);
                Ok(Op::HostUnmap { address, part, flush: !self.flag("no-flush") })
            }
            "host-protect" => {
                let (address, part) = (self.address()?, self.part()?);
                let flush = !self.flag("no-flush");
                let [read, write, execute] = self.rights()?;
                Ok(Op::HostProtect { address, part, read, write, execute, flush })
            }
            "host-set-entry" => {
                let (address, part) = (self.address()?, self.part()?);
                let (level, set, clear) = self.entry(&HOST_FLAGS)?;
                Ok(Op::HostSetEntry { address, part, level, set, clear })
            }
            "invept" => {
                let scope = self.scope(&InveptScope::ALL, 1)?;
                Ok(Op::Invept { scope, eptp: self.number("eptp", u64::MAX)?.map(Hex) })
            }
            "invvpid" => {
                let scope = self.scope(&InvvpidScope::ALL, 0)?;
                let address = self.address_if(scope == InvvpidScope::Address)?;
                Ok(Op::Invvpid { scope, vpid: self.vpid()?, address })
            }
            "vm-switch" => {
                let vm = self.number("vm", 0xffff)?.filter(|vm| *vm > 0);
                let vm = vm.and_then(|vm| u16::try_from(vm).ok());
                let vm = vm.ok_or_else(|| self.wrong("give the virtual machine: vm=1 to 65535"))?;
                Ok(Op::VmSwitch { vm, vpid: self.vpid()? })
            }
            _ => Err(format!("there is no operation `{}`", self.word)),
        }
    }

    fn wrong(&self, what: &str) -> String {
        format!("{}: {what}", self.word)
    }

    /// Takes an operand that is a single word.
    fn flag(&mut self, name: &str) -> bool {
        let at = self.operands.words.iter().position(|word| word.eq_ignore_ascii_case(name));
        at.is_some_and(|at| !std::mem::replace(&mut self.taken[at], true))
    }

    /// Takes the value of an operand `name=…`.
    fn value(&mut self, name: &str) -> Option<String> {
        for (word, taken) in self.operands.words.iter().zip(&mut self.taken) {
            let found = word.split_once('=').filter(|(key, _)| key.eq_ignore_ascii_case(name));
            if let (Some((_, value)), false) = (found, *taken) {
                *taken = true;
                return Some(value.to_ascii_lowercase());
            }
        }
        None
    }

    /// Takes the number of an operand `name=…`, up to `most`. It is hexadecimal if it begins with `0x`.
    fn number(&mut self, name: &str, most: u64) -> Result<Option<u64>, String> {
        let Some(text) = self.value(name) else { return Ok(None) };
        let value = number(&text).filter(|value| *value <= most);
        let wrong = || self.wrong(&format!("{name}={text}: give a number up to {most}"));
        value.map(Some).ok_or_else(wrong)
    }

    fn pcid(&mut self) -> Result<Option<u16>, String> {
        let pcid = self.number("pcid", 4095)?;
        Ok(pcid.map(|pcid| u16::try_from(pcid).unwrap_or(u16::MAX)))
    }

    /// Takes `vpid=`, or AMD's `asid=`. The number 0 belongs to the host.
    fn vpid(&mut self) -> Result<Option<u16>, String> {
        let vpid = match self.number("vpid", 0xffff)? {
            None => self.number("asid", 0xffff)?,
            given => given,
        };
        match vpid {
            Some(0) => Err(self.wrong("VPID 0 belongs to the host: give 1 to 65535")),
            vpid => Ok(vpid.and_then(|vpid| u16::try_from(vpid).ok())),
        }
    }

    /// Takes `type=`, whose first number is `first`.
    fn scope<T: Copy>(&mut self, all: &[T], first: usize) -> Result<T, String> {
        let last = first + all.len() - 1;
        let number = self.number("type", last as u64)?;
        let number = number.and_then(|number| usize::try_from(number).ok()?.checked_sub(first));
        let found = number.and_then(|number| all.get(number));
        found.copied().ok_or_else(|| self.wrong(&format!("give the type: type={first} to {last}")))
    }

    fn address(&self) -> Result<Hex, String> {
        self.operands.address.map(Hex).ok_or_else(|| self.wrong("give an address"))
    }

    fn address_if(&self, needed: bool) -> Result<Hex, String> {
        if needed { self.address() } else { Ok(Hex(0)) }
    }

    /// Takes a range of whole 4K pages. The kernel accepts no other ranges.
    fn range(&self) -> Result<(Hex, Hex), String> {
        let start = self.address()?;
        let length = self.operands.length.filter(|length| *length > 0);
        let length = length.ok_or_else(|| self.wrong("give a length in bytes"))?;
        if start.0 % 4096 != 0 {
            return Err(self.wrong(&format!("the address {start} is not a multiple of 4096")));
        }
        let length = length.checked_next_multiple_of(4096);
        let fits = length.filter(|length| start.0.checked_add(length - 1).is_some());
        fits.map(|length| (start, Hex(length)))
            .ok_or_else(|| self.wrong("the range ends beyond the address space"))
    }

    fn control(&mut self, bits: &[ControlBit]) -> Result<Op, String> {
        for bit in bits {
            if let Some(on) = self.number(bit.name(), 1)? {
                return Ok(Op::SetControl { bit: *bit, on: on == 1 });
            }
        }
        let names: Vec<String> = bits.iter().map(|bit| format!("{}=0", bit.name())).collect();
        Err(self.wrong(&format!("give the bit and its value, 0 or 1: {}", names.join(", "))))
    }

    fn wrpkru(&mut self) -> Result<Op, String> {
        let value = match (self.operands.address, self.operands.words.first()) {
            (Some(value), _) => Some(value),
            (None, Some(word)) => {
                self.taken[0] = true;
                number(word)
            }
            (None, None) => None,
        };
        let value = value.and_then(|value| u32::try_from(value).ok());
        let value = value.ok_or_else(|| self.wrong("give the value of PKRU, at most 32 bits"))?;
        Ok(Op::Wrpkru { value })
    }

    fn mprotect(&mut self) -> Result<Op, String> {
        let (start, length) = self.range()?;
        let flush = !self.flag("no-flush");
        let key = self.number("key", 15)?.map(|key| u8::try_from(key).unwrap_or(15));
        let [read, write, execute] = self.rights()?;
        let read = read || write || execute;
        Ok(Op::Mprotect { start, length, read, write, execute, key, flush })
    }

    /// Takes the rights to read, write and execute: `rwx` with dashes, or `none`.
    fn rights(&mut self) -> Result<[bool; 3], String> {
        let none = self.flag("none");
        let at = self.operands.words.iter().position(|word| is_rights(word)).filter(|_| !none);
        let has = |letter: char| at.is_some_and(|at| self.operands.words[at].contains(letter));
        let rights = ['r', 'w', 'x'].map(has);
        match at {
            Some(at) => self.taken[at] = true,
            None if none => {}
            None => return Err(self.wrong("give the rights: r--, rw-, r-x, rwx or none")),
        }
        Ok(rights)
    }

    /// Takes `for=data`, or `for=gL1` to `for=gL5`. The default is the data page.
    fn part(&mut self) -> Result<HostPart, String> {
        let Some(text) = self.value("for") else { return Ok(HostPart::DATA) };
        let level = text.strip_prefix("gl").and_then(|level| level.parse().ok());
        match (text.as_str(), level.filter(|level| (1..=5).contains(level))) {
            ("data", _) => Ok(HostPart::DATA),
            (_, Some(level)) => Ok(HostPart(level)),
            _ => Err(self.wrong(&format!("for={text}: give data, or gL1 to gL5"))),
        }
    }

    fn set_entry(&mut self) -> Result<Op, String> {
        let address = self.address()?;
        let (level, set, clear) = self.entry(&FLAGS)?;
        Ok(Op::SetEntry { address, level, set, clear })
    }

    /// Takes the level of an entry, and the flags to set and to clear.
    fn entry(&mut self, known: &[(&str, u64)]) -> Result<(u8, Hex, Hex), String> {
        let level = self.number("level", 5)?.filter(|level| *level > 0);
        let level = level.ok_or_else(|| self.wrong("give the level: level=1 to 5"))?;
        let [set, clear] = ["set", "clear"].map(|name| self.flags(name, known));
        let (set, clear) = (set?, clear?);
        if set | clear == 0 || set & clear != 0 {
            return Err(self.wrong("give the flags: set=… or clear=…, each flag once"));
        }
        let level = u8::try_from(level).unwrap_or(u8::MAX);
        Ok((level, Hex(set), Hex(clear)))
    }

    /// Takes the flags of an operand `name=…`: names joined by `+`, or a number.
    fn flags(&mut self, name: &str, known: &[(&str, u64)]) -> Result<u64, String> {
        let Some(text) = self.value(name) else { return Ok(0) };
        if let Some(value) = number(&text) {
            return Ok(value);
        }
        text.split('+').try_fold(0, |flags, name| {
            let named = known.iter().find(|(known, _)| *known == name);
            named.map(|(_, flag)| flags | flag).ok_or_else(|| {
                let known: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
                let known = known.join(", ");
                self.wrong(&format!("there is no flag `{name}`: give {known}, or a number"))
            })
        })
    }
}

fn number(text: &str) -> Option<u64> {
    if text.starts_with("0x") { parse_hex(text) } else { text.parse().ok() }
}

/// Returns whether a word gives rights, such as `r-x`, `rw` or `---`: r, w and x in this order, or dashes.
fn is_rights(word: &str) -> bool {
    let letters = word.replace('-', "");
    !word.is_empty()
        && word.len() <= 3
        && ["", "r", "w", "x", "rw", "rx", "wx", "rwx"].contains(&&*letters)
}
