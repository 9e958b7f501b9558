// A sum over a static array, without the standard library.
#![no_std]

static mut VALUES: [u32; 64] = [3; 64];

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}

#[unsafe(no_mangle)]
pub extern "C" fn sum() -> u64 {
    let mut sum = 0;
    for at in 0..64 {
        let value = unsafe { core::ptr::read_volatile(&raw const VALUES[at]) };
        unsafe { core::ptr::write_volatile(&raw mut VALUES[at], value + 1) };
        sum += u64::from(value);
    }
    sum
}
