//! Lists that are filled again for each batch.
//!
//! Bench rows: (b) random loads and (b) on nested 4K pages.

/// A list that is filled again for each batch. Its memory is set up before, so that each value is one store.
#[derive(Default)]
pub(super) struct List<T> {
    places: Vec<T>,
    n: usize,
}

impl<T: Copy + Default> List<T> {
    /// Empties the list, and makes room for `most` values.
    pub(super) fn begin(&mut self, most: usize) {
        self.n = 0;
        if self.places.len() < most {
            self.places.resize(most, T::default());
        }
    }

    /// Adds a value. There must be room.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn push(&mut self, value: T) {
        debug_assert!(self.n < self.places.len(), "the list has room");
        if let Some(place) = self.places.get_mut(self.n) {
            *place = value;
            self.n += 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.n
    }

    pub(super) fn truncate(&mut self, n: usize) {
        self.n = self.n.min(n);
    }

    /// Removes all values, and lets `fill` write up to `most` values. `fill` returns their number.
    pub(super) fn fill(&mut self, most: usize, fill: impl FnOnce(&mut [T]) -> usize) {
        self.begin(most);
        self.append(most, fill);
    }

    /// Lets `fill` write up to `most` more values, for which there must be room. `fill` returns their number.
    pub(super) fn append(&mut self, most: usize, fill: impl FnOnce(&mut [T]) -> usize) -> usize {
        let added = fill(&mut self.places[self.n..][..most]).min(most);
        self.n += added;
        added
    }

    /// Moves the values for which `is_moved` holds to the end of `other`.
    pub(super) fn move_to(&mut self, other: &mut Vec<T>, is_moved: impl Fn(&T) -> bool) {
        let mut kept = 0;
        for at in 0..self.n {
            let value = self.places[at];
            if is_moved(&value) {
                other.push(value);
            } else {
                self.places[kept] = value;
                kept += 1;
            }
        }
        self.n = kept;
    }

    pub(super) fn values(&self) -> &[T] {
        &self.places[..self.n]
    }

    pub(super) fn values_mut(&mut self) -> &mut [T] {
        &mut self.places[..self.n]
    }
}
