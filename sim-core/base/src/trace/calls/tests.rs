//! Compares trees and nodes with lists of names, and with what is read again.

use cases::{Result, Unstructured, cases};

use super::*;
use crate::trace::{Access, CHUNK, Completeness, Kind, TraceBuilder};

/// Returns the functions of a node, the outermost first.
fn path(tree: &CallTree, mut node: u32) -> Vec<(String, u64)> {
    let mut frames = Vec::new();
    while node != 0 {
        let Frame { name, ip } = tree.frame(node);
        frames.push((name.to_owned(), ip));
        node = tree.parent(node);
    }
    frames.reverse();
    frames
}

fn any_path(u: &mut Unstructured<'_>) -> Result<Vec<(String, u64)>> {
    let frame = |u: &mut Unstructured<'_>| {
        let name = *u.choose(&["", "main", "join", "日本"])?;
        Ok((name.to_owned(), u.int_in_range(0..=2)? * u64::from(name.is_empty())))
    };
    (0..u.int_in_range(0..=5)?).map(|_| frame(u)).collect()
}

fn frames(path: &[(String, u64)]) -> impl Iterator<Item = Frame<'_>> {
    path.iter().map(|(name, ip)| Frame { name, ip: *ip })
}

/// Reads the sections of a tree.
fn restored(tree: &CallTree) -> CallTree {
    let mut again = CallTree::default();
    for section in tree.sections() {
        for end in 0..section.len() {
            assert!(again.clone().restore(&section[..end]).is_none(), "{end}");
        }
        again.restore(&section).unwrap();
    }
    again
}

#[test]
fn every_access_has_the_path_that_it_was_given() {
    cases(200).check(|u| {
        let mut grown = CallTreeBuilder::default();
        let mut builder = TraceBuilder::default();
        let mut given = Vec::new();
        // Sometimes cross the end of a chunk, with and without a path at that place.
        let n = if u.ratio(1, 10)? { CHUNK - 2 } else { 0 };
        for at in 0..=u.int_in_range(0..=20)? {
            let path = any_path(u)?;
            let node = grown.path(frames(&path));
            assert_eq!(grown.path(frames(&path)), node);
            builder.call(grown.tree(), node).unwrap();
            for _ in 0..if at == 0 { n } else { u.int_in_range(0..=2)? } {
                builder.push(&Access::new(Kind::Load, 0x1000, 8)).unwrap();
                given.push(path.clone());
            }
        }
        let trace = builder.finish(Completeness::Complete).unwrap();
        let again = restored(trace.call_tree());
        let mut cursor = CallCursor::default();
        for (index, given) in (0..).zip(&given) {
            let node = cursor.node(&trace, index);
            assert_eq!(path(&again, node), *given);
            assert_eq!(again.depth(node), given.len());
        }
        Ok(())
    });
}

#[test]
fn equal_neighbours_need_no_bytes() {
    let mut grown = CallTreeBuilder::default();
    let node = grown.path([Frame { name: "main", ip: 0 }]);
    let mut builder = TraceBuilder::default();
    for _ in 0..1000 {
        builder.call(grown.tree(), node).unwrap();
        builder.push(&Access::new(Kind::Load, 0x1000, 8)).unwrap();
    }
    let trace = builder.finish(Completeness::Complete).unwrap();
    assert_eq!(trace.chunks()[0].call_changes().collect::<Vec<_>>(), [(0, 1)]);
    assert_eq!(trace.chunks()[0].calls.len(), 2);
}

#[test]
fn deep_paths_and_large_trees_are_cut_and_counted() {
    let mut grown = CallTreeBuilder::default();
    let deep: Vec<_> = (1..=MAX_DEPTH as u64 + 3).map(|ip| (String::new(), ip)).collect();
    let node = grown.path(frames(&deep));
    assert_eq!(path(grown.tree(), node), deep[..MAX_DEPTH]);
    assert_eq!((grown.n_cut(), grown.tree().len()), (1, MAX_DEPTH));
    let mut last = 0;
    for ip in 1000..1000 + MAX_NODES as u64 {
        last = grown.child(0, Frame { name: "", ip }).unwrap_or(last);
    }
    assert_eq!((grown.tree().len(), last as usize), (MAX_NODES, MAX_NODES));
    assert_eq!(grown.path([Frame { name: "one more", ip: 0 }]), 0);
    assert_eq!(grown.n_cut(), 2);
    // Many nodes need several sections.
    let mut again = CallTree::default();
    let sections: Vec<_> = grown.tree().sections().collect();
    for section in &sections {
        again.restore(section).unwrap();
    }
    assert_eq!((sections.len(), again.len()), (32, MAX_NODES));
    assert_eq!(again.frame(last), grown.tree().frame(last));
    // A damaged file cannot make a larger tree.
    assert!(again.restore(&sections[0]).is_none());
}

#[test]
fn any_bytes_are_no_panic() {
    cases(2000).check(|u| {
        let n = u.len();
        let mut tree = CallTree::default();
        if tree.restore(u.bytes(n)?).is_some() {
            assert!(tree.len() <= n);
            assert_eq!(restored(&tree).len(), tree.len());
        }
        Ok(())
    });
    // A parent after its child, a name that there is not, and no change.
    for bytes in [&[0, 1, 2, 0, 0][..], &[0, 1, 0, 0, 0], &[0, 1, 1, 1, 0]] {
        assert!(CallTree::default().restore(bytes).is_none(), "{bytes:?}");
    }
    for (bytes, n) in [(&[0, 2, 0, 2][..], 1), (&[0, 0], 0), (&[0, 1], 0), (&[1], 0)] {
        let mut reader = CallReader::new(bytes);
        assert_eq!(reader.by_ref().count(), n, "{bytes:?}");
        assert!(!reader.is_whole());
    }
}
