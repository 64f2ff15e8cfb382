//! Brotli by its reference implementation.

use brotlic::decode::DecoderInfo;
use brotlic::encode::{BrotliEncoderOptions, BrotliOperation};
use brotlic::{
    BlockSize, BrotliDecoder, BrotliDecoderOptions, BrotliEncoder, CompressionMode,
    LargeWindowSize, Quality, WindowSize,
};

use super::{Codec, Failure, Step};

/// `BROTLI_OPERATION_*`
const FLUSH: u32 = 1;
const FINISH: u32 = 2;

struct Encoder {
    brotli: BrotliEncoder,
    parameters: Vec<i32>,
}

struct Decoder {
    brotli: BrotliDecoder,
    parameters: Vec<i32>,
}

fn refused() -> Failure {
    Failure::new(
        "Initialization failed",
        -1,
        "ERR_ZLIB_INITIALIZATION_FAILED",
    )
}

/// `parameters`: `BROTLI_PARAM_*` by number, -1 where there is none.
pub(super) fn encoder(parameters: &[i32]) -> Result<Box<dyn Codec>, Failure> {
    Ok(Box::new(Encoder {
        brotli: build_encoder(parameters)?,
        parameters: parameters.to_vec(),
    }))
}

fn build_encoder(parameters: &[i32]) -> Result<BrotliEncoder, Failure> {
    let given = |index: usize| {
        parameters
            .get(index)
            .and_then(|value| u32::try_from(*value).ok())
    };
    let byte = |index: usize| given(index).map(|value| u8::try_from(value).unwrap_or(u8::MAX));
    let mut options = BrotliEncoderOptions::new();
    if let Some(mode) = given(0) {
        options.mode(match mode {
            1 => CompressionMode::Text,
            2 => CompressionMode::Font,
            _ => CompressionMode::Generic,
        });
    }
    // Beyond the limits the nearest is meant, as in brotli itself.
    if let Some(quality) = byte(1) {
        options.quality(Quality::new(quality.min(11)).map_err(|_| refused())?);
    }
    let large = given(6).is_some_and(|large| large != 0);
    if let Some(bits) = byte(2) {
        if large {
            options.large_window_size(
                LargeWindowSize::new(bits.clamp(10, 30)).map_err(|_| refused())?,
            );
        } else {
            options.window_size(WindowSize::new(bits.clamp(10, 24)).map_err(|_| refused())?);
        }
    }
    if let Some(bits) = byte(3).filter(|bits| *bits != 0) {
        options.block_size(BlockSize::new(bits.clamp(16, 24)).map_err(|_| refused())?);
    }
    if let Some(disabled) = given(4) {
        options.disable_context_modeling(disabled != 0);
    }
    if let Some(hint) = given(5) {
        options.size_hint(hint);
    }
    if let Some(bits) = given(7) {
        options.postfix_bits(bits);
    }
    if let Some(codes) = given(8) {
        options.direct_distance_codes(codes);
    }
    options.build().map_err(|_| refused())
}

impl Codec for Encoder {
    fn step(&mut self, flush: u32, input: &[u8], output: &mut [u8]) -> Step {
        let operation = match flush {
            FLUSH => BrotliOperation::Flush,
            FINISH => BrotliOperation::Finish,
            _ => BrotliOperation::Process,
        };
        if let Ok(result) = self.brotli.compress(input, output, operation) {
            return Step {
                read: result.bytes_read,
                written: result.bytes_written,
                failure: None,
            };
        }
        let failure = Failure::new("Compression failed", -100, "ERR_BROTLI_COMPRESSION_FAILED");
        Step {
            read: 0,
            written: 0,
            failure: Some(failure),
        }
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.brotli = build_encoder(&self.parameters)?;
        Ok(())
    }
}

/// `parameters`: `BROTLI_DECODER_PARAM_*` by number, -1 where there is none.
pub(super) fn decoder(parameters: &[i32]) -> Result<Box<dyn Codec>, Failure> {
    Ok(Box::new(Decoder {
        brotli: build_decoder(parameters)?,
        parameters: parameters.to_vec(),
    }))
}

fn build_decoder(parameters: &[i32]) -> Result<BrotliDecoder, Failure> {
    let mut options = BrotliDecoderOptions::new();
    if let Some(value) = parameters.first().filter(|value| **value >= 0) {
        options.disable_ring_buffer_reallocation(*value != 0);
    }
    if let Some(value) = parameters.get(1).filter(|value| **value >= 0) {
        options.large_window_size(*value != 0);
    }
    options.build().map_err(|_| refused())
}

impl Codec for Decoder {
    fn step(&mut self, flush: u32, input: &[u8], output: &mut [u8]) -> Step {
        match self.brotli.decompress(input, output) {
            Ok(result) => {
                let waits = matches!(result.info, DecoderInfo::NeedsMoreInput);
                Step {
                    read: result.bytes_read,
                    written: result.bytes_written,
                    failure: (waits && flush == FINISH).then(Failure::unexpected_end),
                }
            }
            Err(error) => {
                let name = constant(&format!("{error:?}"));
                let failure =
                    Failure::new("Decompression failed", -1, format!("ERR__ERROR_{name}"));
                Step {
                    read: 0,
                    written: 0,
                    failure: Some(failure),
                }
            }
        }
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.brotli = build_decoder(&self.parameters)?;
        Ok(())
    }
}

/// `FormatPadding1` → `FORMAT_PADDING_1`
fn constant(variant: &str) -> String {
    let mut name = String::new();
    for (at, character) in variant.char_indices() {
        if at > 0 && (character.is_ascii_uppercase() || character.is_ascii_digit()) {
            name.push('_');
        }
        name.push(character.to_ascii_uppercase());
    }
    name
}
