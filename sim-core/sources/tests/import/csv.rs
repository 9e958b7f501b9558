//! Lists of addresses with different columns, separators and numbers.

use expect_test::expect;

use super::support::{check, check_as};

#[test]
fn a_header_names_the_columns() {
    check(
        "time,pid,tid,ip,op,addr,size\n1.5,10,11,0x401000,R,0x7ffe10,8\n1.6,10,12,0x401004,W,0x7ffe18,4\n",
        &expect![[r"
        csv: 2 records, 2 accesses
          skipped 1 header line
        load 0x7ffe10 8 pid 10 tid 11 ip 0x401000
        store 0x7ffe18 4 pid 10 tid 12 ip 0x401004
    "]],
    );
    check(
        "Type;Virtual Address (hex);Bytes\nload;7f00;8\nstore;7f08;\n",
        &expect![[r"
        csv: 2 records, 2 accesses
          skipped 1 header line
        load 0x7f00 8
        store 0x7f08 0
    "]],
    );
    check(
        "addr\tsym\n0x10\tmain\n",
        &expect![[r"
        csv: 1 records, 1 accesses
          skipped 1 header line
          ! Unused columns: `sym`
          ! No column says what kind of access each row is, so all are read as loads
        load 0x10 0
    "]],
    );
    check(
        "# kind, address\nR, 10\nW, 1f\n",
        &expect![[r"
        csv: 2 records, 2 accesses
          skipped 1 comment lines
        load 0x10 0
        store 0x1f 0
    "]],
    );
}

#[test]
fn every_word_for_a_kind() {
    check(
        "r,0x1\nL,0x2\nload,0x3\nRead,0x4\n0,0x5\nw,0x6\nS,0x7\nSTORE,0x8\nwrite,0x9\n1,0xa\n",
        &expect![[r"
            csv, columns guessed: 10 records, 10 accesses
              ! The list has no header, so the columns are a guess: column 1 as kind, column 2 as address. A first line such as kind,address,size names them
            load 0x1 0
            load 0x2 0
            load 0x3 0
            load 0x4 0
            load 0x5 0
            store 0x6 0
            store 0x7 0
            store 0x8 0
            store 0x9 0
            store 0xa 0
        "]],
    );
    check(
        "I,0x1\nF,0x2\nifetch,0x3\nfetch,0x4\n2,0x5\nP,0x6\nprefetch,0x7\nM,0x8\nrw,0x9\n",
        &expect![[r"
            csv, columns guessed: 9 records, 11 accesses
              ! The list has no header, so the columns are a guess: column 1 as kind, column 2 as address. A first line such as kind,address,size names them
            fetch 0x1 0
            fetch 0x2 0
            fetch 0x3 0
            fetch 0x4 0
            fetch 0x5 0
            prefetch 0x6 0
            prefetch 0x7 0
            load 0x8 0
            store 0x8 0
            load 0x9 0
            store 0x9 0
        "]],
    );
}

#[test]
fn without_names_the_contents_tell() {
    check(
        "0x7ffe10,R,8\n0x7ffe18,W,4\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address, column 2 as kind, column 3 as size. A first line such as kind,address,size names them
            load 0x7ffe10 8
            store 0x7ffe18 4
        "]],
    );
    check(
        "R 7ffe10\nW 7ffe18\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as kind, column 2 as address. A first line such as kind,address,size names them
            load 0x7ffe10 0
            store 0x7ffe18 0
        "]],
    );
    check(
        "0x401000,r,8,0x7ffe10\n0x401004,w,4,0x7ffe18\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as instruction pointer, column 2 as kind, column 3 as size, column 4 as address. A first line such as kind,address,size names them
            load 0x7ffe10 8 ip 0x401000
            store 0x7ffe18 4 ip 0x401004
        "]],
    );
    check(
        "1,0x7ffe10,main\n2,0x7ffe18,main\n3,0x7ffe18,main\n4,0x7ffe20,f\n",
        &expect![[r"
            csv, columns guessed: 4 records, 4 accesses
              ! The list has no header, so the columns are a guess: column 2 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0x7ffe10 0
            load 0x7ffe18 0
            load 0x7ffe18 0
            load 0x7ffe20 0
        "]],
    );
    check(
        "0x7ffe10 8\n0x7ffe18 4\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address, column 2 as size. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0x7ffe10 8
            load 0x7ffe18 4
        "]],
    );
    check(
        "Adresse;Art\n0x10;R\n0x20;W\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              skipped 1 header line
              ! The header names no address column, so the columns are a guess: column 1 as address, column 2 as kind. A first line such as kind,address,size names them
            load 0x10 0
            store 0x20 0
        "]],
    );
}

#[test]
fn two_columns_of_labels_and_addresses_are_din() {
    check(
        "2 0\n0 1000\n1 70f60888\n0 1008\n",
        &expect![[r"
            din: 4 records, 4 accesses
            fetch 0x0 0
            load 0x1000 0
            store 0x70f60888 0
            load 0x1008 0
        "]],
    );
}

#[test]
fn bare_addresses() {
    check(
        "0x1000\n0x2000\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0x1000 0
            load 0x2000 0
        "]],
    );
    check(
        "1000\n20ff\nea\n",
        &expect![[r"
            csv, columns guessed: 3 records, 3 accesses
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0x1000 0
            load 0x20ff 0
            load 0xea 0
        "]],
    );
    check(
        "ea\nfb\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0xea 0
            load 0xfb 0
        "]],
    );
    check(
        "\n  7f3a1c2b5e48  \r\n\r\n7f3a1c2b5e50\r\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              skipped 2 blank lines
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0x7f3a1c2b5e48 0
            load 0x7f3a1c2b5e50 0
        "]],
    );
}

#[test]
fn digits_alone_are_decimal_and_the_report_says_so() {
    check(
        "10\n20\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No address has 0x or a digit a to f, so all were read as decimal. If they are hexadecimal, import with --format csv-hex
              ! No column says what kind of access each row is, so all are read as loads
            load 0xa 0
            load 0x14 0
        "]],
    );
    check_as(
        "csv-hex",
        "10\n20\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0x10 0
            load 0x20 0
        "]],
    );
    check_as(
        "csv-decimal",
        "10\n20\n",
        &expect![[r"
            csv, columns guessed: 2 records, 2 accesses
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
            load 0xa 0
            load 0x14 0
        "]],
    );
    check_as(
        "csv-decimal",
        "10\n0x20\nff\n30\n40\n",
        &expect![[r"
            csv, columns guessed: 4 records, 4 accesses
              skipped 1 malformed lines
              ! The list has no header, so the columns are a guess: column 1 as address. A first line such as kind,address,size names them
              ! No column says what kind of access each row is, so all are read as loads
              ! 1 malformed line was skipped; it is line 3: `ff`
            load 0xa 0
            load 0x20 0
            load 0x1e 0
            load 0x28 0
        "]],
    );
}

#[test]
fn a_hexadecimal_digit_after_the_sample_is_an_error() {
    let mut text = "12345678\n".repeat(8000);
    text.push_str("1234567f\n");
    check(
        &text,
        &expect![[r"
        BadTrace: line 8001: `1234567f` has a hexadecimal address, but earlier addresses were read as decimal, because none had 0x or a digit a to f: import with --format csv-hex or --format csv-decimal
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
        load 0xbc614e 0
    "]],
    );
}

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
