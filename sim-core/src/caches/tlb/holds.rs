//! The kinds of access that an array serves, and the page sizes that it holds, from its configuration.

use super::{ArrayConfig, Caps};
use pagewalk_base::addr::{Leaf, PageSize, Paging, PerLeaf};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::Kind;

/// Returns for each kind of access whether the array serves it.
///
/// # Errors
/// `bad-config` at `serves`.
pub(super) fn serves(config: &ArrayConfig) -> Result<[bool; 4]> {
    let mut served = [config.serves.is_none(); 4];
    for kind in config.serves.iter().flatten() {
        if *kind == Kind::Prefetch {
            return Err(Error::config(
                "serves",
                "a prefetch is served as a load: list fetch, load or store",
            ));
        }
        served[kind.index()] = true;
    }
    if served == [false; 4] {
        return Err(Error::config(
            "serves",
            "serves nothing: list fetch, load or store, or leave it out for all",
        ));
    }
    served[Kind::Prefetch.index()] = served[Kind::Load.index()];
    Ok(served)
}

/// Returns for each leaf the leaf at whose page size the array keeps it, or `None` if the array does not hold it.
///
/// # Errors
/// `bad-config` at `pages` or `fragments`.
pub(super) fn held_at(config: &ArrayConfig, paging: &Paging) -> Result<PerLeaf<Option<Leaf>>> {
    let mut held = PerLeaf::default();
    let leaf_of = |field: &str, size: PageSize| {
        paging.held_leaf(size).ok_or_else(|| {
            let known: Vec<String> = paging.held_sizes().iter().map(ToString::to_string).collect();
            let known = known.join(", ");
            Error::config(
                field,
                format!("{size} is no page size of this machine, which has {known}"),
            )
        })
    };
    for size in config.pages.clone().unwrap_or_else(|| paging.held_sizes()) {
        let leaf = leaf_of("pages", size)?;
        if held[leaf] == Some(leaf) {
            return Err(Error::config("pages", format!("{size} is listed twice: list it once")));
        }
        held[leaf] = Some(leaf);
    }
    if held == PerLeaf::default() {
        return Err(Error::config(
            "pages",
            "holds nothing: list page sizes, or leave it out for all",
        ));
    }
    for leaf in Leaf::groups() {
        let single = Leaf::of(paging.entry_level(leaf));
        let found = paging.group(leaf).is_some_and(|group| !group.mapped);
        if found && held[leaf] == Some(leaf) && held[single] != Some(single) {
            let (run, page) = (paging.size_of(leaf), paging.size_of(single));
            let message = format!(
                "{run} is a group of {page} pages, and single {page} pages exist, too: also list {page}"
            );
            return Err(Error::config("pages", message));
        }
    }
    for size in config.fragments.iter().flatten() {
        let leaf = leaf_of("fragments", *size)?;
        if held[leaf] == Some(leaf) {
            return Err(Error::config(
                "fragments",
                format!("{size} is listed in pages too: choose one"),
            ));
        }
        // A piece has a page size of the tables that the array holds, not the size of a coalesced group.
        let whole = |smaller: &Leaf| held[*smaller] == Some(*smaller);
        let below = |smaller: &Leaf| paging.shift(*smaller) < paging.shift(leaf);
        let piece = paging.leaves().into_iter().rev().find(|other| below(other) && whole(other));
        held[leaf] = Some(piece.ok_or_else(|| {
            Error::config(
                "fragments",
                format!("the array has no smaller page size for the pieces of {size}: add a smaller size to pages"),
            )
        })?);
    }
    for leaf in Leaf::groups() {
        if paging.group(leaf).is_some() && held[leaf].is_none() {
            held[leaf] = held[Leaf::of(paging.entry_level(leaf))];
        }
    }
    Ok(held)
}

/// Returns the length of the longest page number of the array: the one at its smallest page size.
pub(super) fn number_bits(config: &ArrayConfig, paging: &Paging) -> Option<u32> {
    let held = held_at(config, paging).ok()?;
    let own = Leaf::all().filter(|leaf| held[*leaf] == Some(*leaf));
    let shift = own.map(|leaf| paging.shift(leaf)).min()?;
    Some(u32::from(paging.rule().width()).saturating_sub(shift))
}

/// Returns for each kind of access the first way of a set and the number of ways that its translations may use.
/// `None` = each may use all ways.
///
/// # Errors
/// `bad-config` at `caps`, or at a policy that cannot choose among some ways.
pub(super) fn caps(config: &ArrayConfig, n_ways: u32) -> Result<Option<[(u32, u32); 4]>> {
    let Some(Caps { instructions, data }) = config.caps else { return Ok(None) };
    for (field, n) in [("instructions", instructions), ("data", data)] {
        if n.is_some_and(|n| n == 0 || n > n_ways) {
            let n = n.unwrap_or(0);
            let message = format!("{n} ways: must be 1 to {n_ways}, the ways of a set");
            return Err(Error::config(format!("caps.{field}"), message));
        }
    }
    let [fetch, load, ..] = serves(config)?;
    if !fetch || !load {
        let message = "only an array that serves fetches and loads shares its ways: leave it out";
        return Err(Error::config("caps", message));
    }
    if !config.ways_of.is_empty() {
        let message = "ways_of divides the ways by page size already: use one of the two";
        return Err(Error::config("caps", message));
    }
    if let Some(why) = config.replacement.groups_error() {
        return Err(Error::config("replacement", why));
    }
    let own = instructions.unwrap_or(n_ways);
    let data = (0, data.unwrap_or(n_ways));
    Ok(Some([(n_ways - own, own), data, data, data]))
}

/// Returns the number of ways of a set that each kept leaf may be in; 0 means all.
///
/// # Errors
/// `bad-config` at `ways_of`, or at a policy that cannot choose among some ways.
pub(super) fn ways_of(config: &ArrayConfig, n_ways: u32, paging: &Paging) -> Result<PerLeaf<u32>> {
    let held = held_at(config, paging)?;
    let mut ways = PerLeaf::default();
    for (size, n) in &config.ways_of {
        let wrong = |message: String| Error::config(format!("ways_of.{size}"), message);
        let leaf = paging.held_leaf(*size).filter(|leaf| held[*leaf] == Some(*leaf));
        let Some(leaf) = leaf else {
            return Err(wrong(format!("the array holds no pages of {size}: list it in pages")));
        };
        if *n == 0 || *n > n_ways || !n_ways.is_multiple_of(*n) {
            return Err(wrong(format!("{n} ways: must divide the {n_ways} ways of a set")));
        }
        if *n < n_ways {
            ways[leaf] = *n;
        }
    }
    match config.replacement.groups_error() {
        Some(why) if ways != PerLeaf::default() => Err(Error::config("replacement", why)),
        _ => Ok(ways),
    }
}
