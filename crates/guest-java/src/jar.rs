//! The jar of our classes. All but its first one are unpacked by that one, in Java.

/// Made of `../java` by `scripts/java-classes.mjs`.
pub(crate) static JAR: &[u8] = include_bytes!("../guest.jar");

/// Header of an entry, behind which its name and its content follow.
const HEADER_BYTES: usize = 30;
const METHOD_AT: usize = 8;
const SIZE_AT: usize = 18;
const NAME_LENGTH_AT: usize = 26;

/// The class that defines the others: the jar's first entry, which is not compressed.
pub(crate) fn loader_class() -> Option<&'static [u8]> {
    let method = u16::from_le_bytes(*JAR.get(METHOD_AT..)?.first_chunk()?);
    let size = u32::from_le_bytes(*JAR.get(SIZE_AT..)?.first_chunk()?);
    let name_length = u16::from_le_bytes(*JAR.get(NAME_LENGTH_AT..)?.first_chunk()?);
    let extra_length = u16::from_le_bytes(*JAR.get(NAME_LENGTH_AT + 2..)?.first_chunk()?);
    let from = HEADER_BYTES + usize::from(name_length) + usize::from(extra_length);
    let class = JAR.get(from..from + usize::try_from(size).ok()?)?;
    (method == 0).then_some(class)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_entry_is_a_class() {
        let class = loader_class().expect("stored");
        assert_eq!(class.first_chunk(), Some(&[0xca, 0xfe, 0xba, 0xbe]));
    }
}
