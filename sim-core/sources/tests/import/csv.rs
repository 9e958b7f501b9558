//! Lists of addresses with different columns, separators and numbers.

use expect_test::expect;

use super::support::{check, check_as, import};

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
fn rows_that_begin_with_a_word_state_their_columns() {
    check(
        "load 0x7f00 8\nstore 0x7f08 4\nmunmap 0x7000 4096\nWRITE 0x7f10\n",
        &expect![[r"
            csv: 4 records, 3 accesses
            load 0x7f00 8
            store 0x7f08 4
            store 0x7f10 0
        "]],
    );
    check(
        "ld,0x10\nst,0x20\n",
        &expect![[r"
            csv: 2 records, 2 accesses
            load 0x10 0
            store 0x20 0
        "]],
    );
    // Each of these could also be something else.
    for text in [
        "load 7f00 8\nstore 7f08 8\n",
        "R 0x7f00 8\nW 0x7f08 8\n",
        "load 0x7f00 8 1\nstore 0x7f08 8 1\n",
        "load 0x7f00 8\n0x7f08 store 8\n",
        "load 0x7f00 eight\nstore 0x7f08 8\n",
    ] {
        assert!(import(text.as_bytes()).0.unwrap().guessed, "{text}");
    }
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
