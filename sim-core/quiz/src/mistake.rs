//! The mistakes that explain wrong answers.

use serde::Serialize;

/// A mistake that explains a wrong answer. A name such as `offset-for-set` means: the offset was given, the set was
/// asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Mistake {
    // The set of an array.
    OffsetForSet,
    TagForSet,
    PageForSet,
    /// The low bits of the page number, in an array whose index function uses other bits, too.
    LowBitsForXor,
    // The parts of an address.
    SetForTag,
    PageForTag,
    OffsetForTag,
    TagForPage,
    OffsetForPage,
    AddressForPage,
    FrameForPage,
    PageForOffset,
    AddressForOffset,
    PageForIndex,
    OffsetForIndex,
    /// The address was cut as for another page size.
    OtherPageSize,
    /// The answer for another TLB array, or for another level of the page table.
    OtherLevel,
    // The way and the victim.
    SetForWay,
    NewestForOldest,
    /// The entry that was filled first, where the policy evicts the one that was used least recently.
    FirstInForLeastRecent,
    /// The entry that was used least recently, where the policy evicts the one that was filled first.
    LeastRecentForFirstIn,
    /// The entry that was used least recently, where the policy does not know the order of uses.
    LeastRecentForPolicy,
    /// A victim, although the set has an empty way.
    VictimForEmpty,
    /// No victim, although the set is full.
    EmptyForVictim,
    OtherSet,
    // The outcome.
    HitForMiss,
    HitForFault,
    MissForHit,
    MissForFault,
    FaultForHit,
    FaultForMiss,
    /// A fault, because the page is used for the first time. It was mapped before.
    FirstTouchForMiss,
    // The walk.
    /// Every level was counted, also those that a walk cache skips.
    LevelsForReferences,
    OneTableTooMany,
    /// Only the entries of the guest were counted.
    GuestForNested,
    TableForEntry,
    IndexForAddress,
    /// The index was added to the table's address without the size of an entry.
    IndexWithoutSize,
    ValueForAddress,
    // The error code of a page fault.
    PresentBit,
    WriteBit,
    UserBit,
    FetchBit,
    // The physical address.
    OffsetLost,
    VirtualForPhysical,
    FrameForPhysical,
    /// The digits of the offset stand behind those of the frame, as if it had another number of bits.
    GluedFrameAndOffset,
    /// The guest-physical address, where the host-physical one is asked.
    GuestForHost,
    // The cycles.
    /// The lookup of level 2 that missed was left out.
    LookupLost,
    /// The overhead of the walk was left out.
    OverheadLost,
    ReferencesForCycles,
    // A count from the start of the trace.
    /// The access of the question was not counted.
    OneAccessShort,
    /// The access after that of the question was counted, too.
    OneAccessMore,
    /// Only the access of the question was counted.
    AccessForTotal,
    /// One more or less than the count.
    OneOff,
    HitsForMisses,
    MissesForHits,
    /// Each walk was counted, where one array was asked.
    WalksForMisses,
    /// The misses of level 1 were counted, of which level 2 answers some.
    MissesForWalks,
    /// Each page was counted once, although its entry was evicted in between.
    PagesForMisses,
    AccessesForPages,
    WalksForFaults,
    /// Each walk was counted once, not each entry that it reads.
    WalksForReferences,
    // The base of a number.
    DecimalForHexadecimal,
    HexadecimalForDecimal,
    OtherBase,
}

impl Mistake {
    /// Returns the name in JSON.
    pub fn name(self) -> String {
        let name = serde_json::to_value(self).ok();
        name.and_then(|name| name.as_str().map(str::to_owned)).expect("a mistake is a word")
    }
}
