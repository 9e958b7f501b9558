//! Rows of lists: comments, quotes, and rows that cannot be read.

use expect_test::expect;

use super::support::{check, check_as};

#[test]
fn comments_blank_lines_and_quotes() {
    check(
        "# made by hand\n\n\"R\",\"0x10\"\n// more\n\"W\", \"0x20\"\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              skipped 2 comment lines
              skipped 1 blank lines
              ! The list has no header, so the columns are a guess: column 1 as kind, column 2 as address. A first line such as kind,address,size names them
            load 0x10 0
            store 0x20 0
        "]],
    );
}

#[test]
fn a_quoted_field_may_hold_separators_and_newlines() {
    check(
        "kind,\"virtual\naddress\",size,note\nR,0x10,8,\"a, \"\"b\"\"\n# no comment\n\"\nW,\"0x20\n\",8,c\nX,0x30,8,\"\n\"\nR,?,8,\nR,0x40,8,\n",
        &expect![[r"
            csv: 4 records, 4 accesses
              skipped 1 header line
              skipped 1 malformed lines
              ! Unused columns: `note`
              ! 1 malformed line was skipped; it is line 10: `R,?,8,`
            load 0x10 8
            store 0x20 8
            fetch 0x30 8
            load 0x40 8
        "]],
    );
    check(
        "0x10;\"\r\n\";R\r\n0x20;;W\r\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address, column 3 as kind. A first line such as kind,address,size names them
            load 0x10 0
            store 0x20 0
        "]],
    );
}

/// The second quote opens a field that is still open at the end of the file.
#[test]
fn a_quote_that_is_not_closed_is_an_error() {
    check(
        "op,addr\nR,0x10\nR,0x20\nW,\"0x30\nW,0x40\n",
        &expect![[r"
        BadTrace: line 4: a quoted field begins here and has no closing quote before the end of the file: add the closing quote, or remove the opening one. To import the accesses before it, add --until 1
        load 0x10 0
        load 0x20 0
    "]],
    );
    let rows = "R,0x10,x\n".repeat(20_000);
    check(
        &format!("{rows}R,0x20,\"x\n{rows}"),
        &expect![[r"
        BadTrace: line 20001: a quoted field begins here and has no closing quote within 4096 bytes: add the closing quote, or remove the opening one. To import the accesses before it, add --until 19999
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
        load 0x10 0
    "]],
    );
    let rest = "y".repeat(4096);
    let row = |n: usize| format!("R,0x20,\"x\n{}\"\nR,0x30,z\n", &rest[..n]);
    // One byte more than the largest line of 4096 bytes.
    check(
        &row(4085),
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as kind, column 2 as address. A first line such as kind,address,size names them
            load 0x20 0
            load 0x30 0
        "]],
    );
    check(
        &row(4086),
        &expect![[r"
        BadTrace: line 1: a quoted field begins here and has no closing quote within 4096 bytes: add the closing quote, or remove the opening one
    "]],
    );
}

#[test]
fn an_empty_column_between_tabs_is_one() {
    check(
        "kind\tsymbol\taddr\nR\t\t0x10\n\tf\t0x20\nW\t \t0x30\nR\tg\t0x40\n",
        &expect![[r"
            csv: 3 records, 3 accesses
              skipped 1 header line
              skipped 1 malformed lines
              ! Unused columns: `symbol`
              ! 1 malformed line was skipped; it is line 3: `f·0x20`
            load 0x10 0
            store 0x30 0
            load 0x40 0
        "]],
    );
}

#[test]
fn bad_rows_are_skipped_and_reported() {
    check(
        "op,addr\nR,0x10\nR,\nX9,0x20\nW,0x10000000000000000\nW\nW,0x30\nR,0x40\nR,0x50\nR,0x60\nR,0x70\n",
        &expect![[r"
            csv: 6 records, 6 accesses
              skipped 1 header line
              skipped 3 malformed lines
              skipped 1 addresses over 64 bits
              ! 3 malformed lines were skipped; the first is line 3: `R,`
              ! 1 line has an address over 64 bits and was skipped; it is line 5: `W,0x10000000000000000`
            load 0x10 0
            store 0x30 0
            load 0x40 0
            load 0x50 0
            load 0x60 0
            load 0x70 0
        "]],
    );
}

#[test]
fn mostly_bad_is_no_list() {
    check(
        "op,addr\nR,0x10\nnonsense,?\nmore,?\n",
        &expect![[r"
            BadTrace: line 3: 2 of the first 3 rows are not accesses, the first of them here: check that the columns are in the order of the header line
        "]],
    );
    check_as(
        "csv",
        "op,addr\nR,0x10\nnonsense,?\nmore,?\n",
        &expect![[r"
            BadTrace: line 3: 2 of the first 3 rows are not accesses, the first of them here: check that the columns are in the order of the header line
        "]],
    );
    check_as(
        "csv",
        "# only\n# comments\n",
        &expect![[r"
        BadTrace: the list has no rows, only blank lines, comments and names
    "]],
    );
    check_as(
        "csv",
        "foo,bar\nbaz,qux\n",
        &expect![[r"
        BadTrace: no column holds addresses: add a header line with a column `address`, or check the separator
    "]],
    );
}

#[test]
fn addresses_of_which_half_cannot_be_read_are_still_the_addresses() {
    check(
        "R,0x1000,8\nR,???,8\nW,0x3000,8\nW,(null),8\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              skipped 2 malformed lines
              ! The list has no header, so the columns are a guess: column 1 as kind, column 2 as address, column 3 as size. A first line such as kind,address,size names them
              ! 2 malformed lines were skipped; the first is line 2: `R,???,8`
            load 0x1000 8
            store 0x3000 8
        "]],
    );
    check(
        "load 7f001000 8\nload nil 8\nload nil 8\nload nil 8\n",
        &expect![[r"
        BadTrace: line 2: 3 of the first 4 rows are not accesses, the first of them here: add a header line such as kind,address,size
    "]],
    );
}

#[test]
fn rows_under_a_header_that_are_all_bad_are_named_by_the_first() {
    check(
        "kind,address,size\n\nload,zz,8\nload,yy,8\n",
        &expect![[r"
        BadTrace: line 3: 2 of the first 2 rows are not accesses, the first of them here: check that the columns are in the order of the header line
    "]],
    );
}
