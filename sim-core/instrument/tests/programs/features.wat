;; What browsers run beyond plain loads and stores. The exit status is the sum of what the parts return.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (type $part (func (result i32)))
  (memory (export "memory") 1 4 shared)
  (table $parts funcref (elem $atomics $vectors $exceptions $calls $bulk $grown))
  (tag $thrown (param i32))
  (global $before (mut i32) (i32.const 0))
  (data $bytes "\01\02\03\04")
  (start $first)

  (func $first
    (i32.store (i32.const 400) (i32.const 7))
    (global.set $before (i32.load (i32.const 400))))

  (func $atomics (result i32)
    (drop (i32.atomic.rmw.add (i32.const 8) (i32.const 5)))
    (drop (i32.atomic.rmw.cmpxchg (i32.const 8) (i32.const 5) (i32.const 9)))
    (drop (i64.atomic.rmw16.xchg_u (i32.const 16) (i64.const 3)))
    (i32.atomic.store (i32.const 24) (i32.const 1))
    (atomic.fence)
    ;; The value is another one: 1. The time is over: 2. Nobody waits: 0.
    (memory.atomic.wait32 (i32.const 8) (i32.const 0) (i64.const -1))
    (memory.atomic.wait32 (i32.const 8) (i32.const 9) (i64.const 0))
    (memory.atomic.notify (i32.const 8) (i32.const 1))
    i32.add i32.add
    (i32.atomic.load (i32.const 8))
    i32.add)

  (func $vectors (result i32) (local $v v128)
    (i32.store (i32.const 64) (i32.const 5))
    (local.set $v (v128.load32_splat (i32.const 64)))
    (local.set $v (v128.load8_lane 0 (i32.const 64) (local.get $v)))
    (v128.store (i32.const 80) (local.get $v))
    (v128.store16_lane 1 (i32.const 96) (local.get $v))
    (i32x4.extract_lane 2 (v128.load (i32.const 80))))

  (func $fails (i32.store (i32.const 112) (i32.const 1)) (throw $thrown (i32.load (i32.const 112))))
  (func $exceptions (result i32)
    try (result i32)
      (i32.store (i32.const 116) (i32.const 2))
      call $fails
      i32.const 100
    catch $thrown
      (i32.add (i32.load (i32.const 116)))
    end)

  (func $calls (result i32)
    (i32.store (i32.const 120) (i32.const 3))
    (return_call $tail (i32.load (i32.const 120))))
  (func $tail (param i32) (result i32) (i32.add (local.get 0) (i32.load8_u (i32.const 120))))

  (func $bulk (result i32)
    (memory.init $bytes (i32.const 200) (i32.const 0) (i32.const 4))
    (memory.copy (i32.const 210) (i32.const 200) (i32.const 4))
    (memory.fill (i32.const 211) (i32.const 9) (i32.const 2))
    (i32.load8_u (i32.const 213)))

  (func $grown (result i32)
    (drop (memory.grow (i32.const 2)))
    (i32.store (i32.const 190000) (i32.const 11))
    (i32.add (memory.size) (i32.add (memory.grow (i32.const 60000)) (i32.load (i32.const 190000)))))

  (func (export "_start") (local $n i32) (local $sum i32)
    (local.set $sum (global.get $before))
    loop
      (local.set $sum (i32.add (local.get $sum) (call_indirect (type $part) (local.get $n))))
      (br_if 0 (i32.lt_u (local.tee $n (i32.add (local.get $n) (i32.const 1))) (i32.const 6)))
    end
    (call $exit (local.get $sum))))
