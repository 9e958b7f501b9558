//! Generates a matrix multiplication, `c[i][j] += a[i][k] * b[k][j]`, in any loop order, with or without
//! tiles.

use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Kind};

use super::params::{Kind as ParamKind, Param, Params};
use super::pattern::{BASE, Made, Pattern, accesses};

/// 0, 1 or 2 for i, j or k.
type Index = usize;
const I: Index = 0;
const J: Index = 1;
const K: Index = 2;

/// The loops, the outermost first. With tiles, three loops over tiles surround them.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    element: u32,
    row: u64,
    header: u64,
    /// The addresses of the first rows of c, a and b.
    at: [u64; 3],
    n: u64,
    tile: u64,
    /// The index of each loop.
    order: [Index; 3],
    /// The first index of the current tile, and the current index.
    from: [u64; 3],
    now: [u64; 3],
    /// Whether the operand that the innermost loop does not change stays in a register.
    in_register: bool,
}

/// The indices that select the row and the column of c, a and b.
const OPERANDS: [(Index, Index); 3] = [(I, J), (I, K), (K, J)];
/// The position of c in [`OPERANDS`].
const RESULT: usize = 0;

impl Matrix {
    /// Generates one iteration of the innermost loop.
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let inner = self.order[2];
        let end = self.end(inner);
        let (first, last) = (self.now[inner] == self.from[inner], self.now[inner] + 1 == end);
        let kept = |operand: usize| {
            let (row, column) = OPERANDS[operand];
            self.in_register && row != inner && column != inner
        };
        for operand in [RESULT, 1, 2] {
            if !kept(operand) || first {
                out.push(self.access(Kind::Load, operand));
            }
        }
        if !kept(RESULT) || last {
            out.push(self.access(Kind::Store, RESULT));
        }
        self.advance();
    }

    #[inline]
    fn access(&self, kind: Kind, operand: usize) -> Access {
        let (row, column) = OPERANDS[operand];
        let in_row = self.header + self.now[column] * u64::from(self.element);
        Access::new(kind, self.at[operand] + self.now[row] * self.row + in_row, self.element)
    }

    /// Returns the end of the current tile for an index.
    fn end(&self, index: Index) -> u64 {
        (self.from[index] + self.tile).min(self.n)
    }

    fn advance(&mut self) {
        for index in self.order.into_iter().rev() {
            self.now[index] += 1;
            if self.now[index] < self.end(index) {
                return;
            }
            self.now[index] = self.from[index];
        }
        for index in self.order.into_iter().rev() {
            self.from[index] += self.tile;
            if self.from[index] < self.n {
                self.now = self.from;
                return;
            }
            self.from[index] = 0;
        }
        self.now = self.from;
    }
}

pub(super) const MATRIX: &[Param] = &[
    Param {
        name: "n",
        about: "number of rows and columns of the three matrices",
        kind: ParamKind::Count(1, 1 << 16),
        default: "128",
    },
    Param {
        name: "order",
        about: "order of the loops, the outermost first",
        kind: ParamKind::Choice(&[
            ("ijk", "column walk through b"),
            ("ikj", "rows only"),
            ("jik", "column walk through b"),
            ("jki", "column walk through a and c"),
            ("kij", "rows only"),
            ("kji", "column walk through a and c"),
        ]),
        default: "ijk",
    },
    Param {
        name: "tile",
        about: "number of rows and columns of a tile; 0 means no tiles",
        kind: ParamKind::Count(0, 1 << 16),
        default: "0",
    },
    Param {
        name: "element",
        about: "size of each number",
        kind: ParamKind::Size(1, 64),
        default: "4",
    },
    Param {
        name: "header",
        about: "size of the header before each row, such as 16 for a Java array",
        kind: ParamKind::Size(0, 4096),
        default: "0",
    },
    Param {
        name: "row",
        about: "distance from one row to the next; 0 means the header and n numbers",
        kind: ParamKind::Size(0, 1 << 30),
        default: "0",
    },
    Param {
        name: "operands",
        about: "accesses for the operands",
        kind: ParamKind::Choice(&[
            ("register", "the operand that the innermost loop does not change stays in a register"),
            ("memory", "each iteration loads all three and stores c"),
        ]),
        default: "register",
    },
    accesses("0"),
    BASE,
];

pub(super) fn matrix(params: &Params) -> Result<Made> {
    let (n, element, header) = (params.whole("n"), params.small("element"), params.whole("header"));
    let least = header + n * u64::from(element);
    let row = match params.whole("row") {
        0 => least,
        row if row < least => {
            return Err(Error::config(
                "row",
                format!("{row} bytes: the header and {n} numbers need {least}"),
            ));
        }
        row => row,
    };
    let tile = match params.whole("tile") {
        0 => n,
        tile => tile.min(n),
    };
    let letters = params.choice("order").bytes();
    let mut order = [I, J, K];
    for (place, letter) in order.iter_mut().zip(letters) {
        *place = usize::from(letter - b'i');
    }
    let base = params.whole("base");
    let in_register = params.choice("operands") == "register";
    let pattern = Pattern::Matrix(Matrix {
        element,
        row,
        header,
        at: [0, 1, 2].map(|matrix| base + matrix * n * row),
        n,
        tile,
        order,
        from: [0; 3],
        now: [0; 3],
        in_register,
    });
    let pass = n * n * accesses_of_inner(n, tile, order[2], in_register);
    Ok(Made { pattern, pass: Some(pass), bytes: 3 * n * row })
}

/// Returns the number of accesses of all inner iterations for fixed outer indices.
fn accesses_of_inner(n: u64, tile: u64, inner: Index, in_register: bool) -> u64 {
    let tiles = n.div_ceil(tile);
    match (in_register, inner) {
        (false, _) => 4 * n,
        // c is loaded and stored once for each tile.
        (true, K) => 2 * n + 2 * tiles,
        // a or b is loaded once for each tile.
        (true, _) => 3 * n + tiles,
    }
}
