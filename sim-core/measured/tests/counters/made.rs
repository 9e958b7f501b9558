//! Tests with fixtures of one machine in every form of output.

use expect_test::expect;

use super::support::check_file;

#[test]
#[expect(clippy::too_many_lines, reason = "a list of files, each with what it holds")]
fn every_form_of_one_machine_is_read() {
    check_file(
        "made-csv-interval.txt",
        expect![[r"
        Csv, 22 counters
        567 page-faults at 0.020260268 running 100 # 28.6 K/sec
        19.83 msec task-clock at 0.020260268 running 100 # 0.991 CPUs utilized
        NotSupported dTLB-load-misses at 0.020260268 running 100
        0 page-faults at 0.040530046 running 100 # 0 /sec
        20.18 msec task-clock at 0.040530046 running 100 # 1.009 CPUs utilized
        NotSupported dTLB-load-misses at 0.040530046 running 100
        0 page-faults at 0.060781475 running 100 # 0 /sec
        20.25 msec task-clock at 0.060781475 running 100 # 1.013 CPUs utilized
    "]],
    );
    check_file(
        "made-csv-noaggr.txt",
        expect![[r"
        Csv, 4 counters
        0 page-faults part CPU0 running 100 # 0 /sec
        405 page-faults part CPU1 running 100 # 133.922 K/sec
        3.01 msec task-clock part CPU0 running 100 # 0.997 CPUs utilized
        3.02 msec task-clock part CPU1 running 100 # 1.002 CPUs utilized
    "]],
    );
    check_file(
        "made-csv-percore.txt",
        expect![[r"
        Csv, 4 counters
        401 page-faults part S0-D0-C0 running 100 # 171.401 K/sec
        2.34 msec task-clock part S0-D0-C0 running 100 # 1.007 CPUs utilized
        2 page-faults part S0-D0-C1 running 100 # 852.743 /sec
        2.35 msec task-clock part S0-D0-C1 running 100 # 1.009 CPUs utilized
    "]],
    );
    check_file(
        "made-csv-repeat.txt",
        expect![[r"
        Csv, 8 counters
        NotSupported dTLB-loads ± 0 running 100
        NotSupported dTLB-load-misses ± 0 running 100
        NotSupported iTLB-load-misses ± 0 running 100
        401 page-faults ± 0.22 running 100 # 267.973 K/sec
        401 minor-faults ± 0.22 running 100 # 267.973 K/sec
        0 major-faults ± 0 running 100 # 0 /sec
        1.42 msec task-clock ± 2.32 running 100 # 1.112 CPUs utilized
        0 context-switches ± 0 running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-csv-semicolon.txt",
        expect![[r"
        Csv, 8 counters
        NotSupported dTLB-loads running 100
        NotSupported dTLB-load-misses running 100
        NotSupported iTLB-load-misses running 100
        402 page-faults running 100 # 253.774 K/sec
        402 minor-faults running 100 # 253.774 K/sec
        0 major-faults running 100 # 0 /sec
        1.58 msec task-clock running 100 # 768.602 CPUs utilized
        0 context-switches running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-csv.txt",
        expect![[r"
        Csv, 8 counters
        NotSupported dTLB-loads running 100
        NotSupported dTLB-load-misses running 100
        NotSupported iTLB-load-misses running 100
        399 page-faults running 100 # 191.03 K/sec
        399 minor-faults running 100 # 191.03 K/sec
        0 major-faults running 100 # 0 /sec
        2.09 msec task-clock running 100 # 0.844 CPUs utilized
        0 context-switches running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-json-interval.txt",
        expect![[r"
        Json, 22 counters
        566 page-faults at 0.024006216 running 100 # 23.804956 K/sec
        23.776561 msec task-clock at 0.024006216 running 100 # 1.188828 CPUs utilized
        NotSupported dTLB-load-misses at 0.024006216 running 100
        0 page-faults at 0.044298271 running 100 # 0 /sec
        20.183258 msec task-clock at 0.044298271 running 100 # 1.009163 CPUs utilized
        NotSupported dTLB-load-misses at 0.044298271 running 100
        0 page-faults at 0.064543199 running 100 # 0 /sec
        20.260234 msec task-clock at 0.064543199 running 100 # 1.013012 CPUs utilized
    "]],
    );
    check_file(
        "made-json-percore.txt",
        expect![[r"
        Json, 4 counters
        402 page-faults part S0-D0-C0 running 100 # 159.077635 K/sec
        2.527068 msec task-clock part S0-D0-C0 running 100 # 1.008715 CPUs utilized
        2 page-faults part S0-D0-C1 running 100 # 791.862504 /sec
        2.525691 msec task-clock part S0-D0-C1 running 100 # 1.008165 CPUs utilized
    "]],
    );
    check_file(
        "made-json.txt",
        expect![[r"
        Json, 8 counters
        NotSupported dTLB-loads running 100
        NotSupported dTLB-load-misses running 100
        NotSupported iTLB-load-misses running 100
        401 page-faults running 100 # 225.029321 K/sec
        401 minor-faults running 100 # 225.029321 K/sec
        0 major-faults running 100 # 0 /sec
        1.78199 msec task-clock running 100 # 0.877247 CPUs utilized
        0 context-switches running 100 # 0 /sec
    "]],
    );
    check_file(
        "made-locale-de_DE.UTF-8.txt",
        expect![[r"
        Text, 2 counters, of 'matmul 96 4096', 0.002200139 s
        402 page-faults # 237.639 K/sec
        1.69 msec task-clock # 0.769 CPUs utilized
    "]],
    );
    check_file(
        "made-text-bigless.txt",
        expect![[r"
        Text, 8 counters, of 'matmul 96 4096', 0.002026713 s
        NotSupported dTLB-loads
        NotSupported dTLB-load-misses
        NotSupported iTLB-load-misses
        399 page-faults # 225.394 K/sec
        399 minor-faults # 225.394 K/sec
        0 major-faults # 0 /sec
        1.77 msec task-clock # 0.873 CPUs utilized
        0 context-switches # 0 /sec
    "]],
    );
    check_file(
        "made-text-detailed.txt",
        expect![[r"
        Text, 19 counters, of 'matmul 96 4096'
        1.75 msec task-clock # 0.77 CPUs utilized
        0 context-switches # 0 /sec
        0 cpu-migrations # 0 /sec
        400 page-faults # 228.267 K/sec
        NotSupported cycles
        NotSupported instructions
        NotSupported branches
        NotSupported branch-misses
    "]],
    );
    check_file(
        "made-text-interval.txt",
        expect![[r"
        Text, 21 counters
        567 page-faults at 0.020101525 # 28.618 K/sec
        19.81 msec task-clock at 0.020101525 # 0.991 CPUs utilized
        NotSupported dTLB-load-misses at 0.020101525
        0 page-faults at 0.040361227 # 0 /sec
        20.24 msec task-clock at 0.040361227 # 1.012 CPUs utilized
        NotSupported dTLB-load-misses at 0.040361227
        0 page-faults at 0.060520885 # 0 /sec
        20.16 msec task-clock at 0.060520885 # 1.008 CPUs utilized
    "]],
    );
    check_file(
        "made-text-repeat.txt",
        expect![[r"
        Text, 8 counters, of 'matmul 96 4096', 4 runs, 0.002246 s
        NotSupported dTLB-loads
        NotSupported dTLB-load-misses
        NotSupported iTLB-load-misses
        400 page-faults ± 0.18 # 240.963 K/sec
        400 minor-faults ± 0.18 # 240.963 K/sec
        0 major-faults # 0 /sec
        1.52 msec task-clock ± 3.53 # 0.679 CPUs utilized
        0 context-switches # 0 /sec
    "]],
    );
    check_file(
        "made-text-user-only.txt",
        expect![[r"
        Text, 3 counters, of 'matmul 96 4096', 0.002286453 s
        396 page-faults mode u # 226.497 K/sec
        1.75 msec task-clock mode u # 0.765 CPUs utilized
        396 minor-faults mode u # 226.497 K/sec
    "]],
    );
    check_file(
        "made-text.txt",
        expect![[r"
        Text, 8 counters, of 'matmul 96 4096', 0.003170061 s
        NotSupported dTLB-loads
        NotSupported dTLB-load-misses
        NotSupported iTLB-load-misses
        402 page-faults # 157.729 K/sec
        402 minor-faults # 157.729 K/sec
        0 major-faults # 0 /sec
        2.55 msec task-clock # 0.804 CPUs utilized
        0 context-switches # 0 /sec
    "]],
    );
}
