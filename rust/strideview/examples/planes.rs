//! Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such.
//!
//!     cargo run --offline --example planes

use strideview::{Result, View, ViewMut};

fn main() -> Result<()> {
    let pixels: Vec<u8> = (0..12).collect();
    let mut copied = [0; 12];

    let picture = View::new(&pixels, &[2, 2, 3])?;
    ViewMut::new(&mut copied, &[3, 2, 2])?.copy_from(&picture.permute(&[2, 0, 1])?)?;
    println!("{copied:?}");
    Ok(())
}
