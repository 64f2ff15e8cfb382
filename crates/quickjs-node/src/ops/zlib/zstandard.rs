//! Zstandard by its reference implementation.

mod decoder;

use zstd_safe::zstd_sys::ZSTD_EndDirective;
use zstd_safe::{CCtx, CParameter, InBuffer, OutBuffer, ResetDirective, Strategy, get_error_name};

pub(super) use decoder::open as decoder;

use super::{Codec, Failure, Step};

/// `ZSTD_e_*`
const FLUSH: u32 = 1;
const END: u32 = 2;

struct Encoder {
    zstd: CCtx<'static>,
    pledged: Option<u64>,
}

fn failure(code: usize) -> Failure {
    let message = get_error_name(code);
    Failure::new(message, 0, name_of(message))
}

/// `ZSTD_error_*` of zstd's messages.
fn name_of(message: &str) -> &'static str {
    match message {
        "Unknown frame descriptor" => "ZSTD_error_prefix_unknown",
        "Version not supported" => "ZSTD_error_version_unsupported",
        "Unsupported frame parameter" => "ZSTD_error_frameParameter_unsupported",
        "Frame requires too much memory for decoding" => "ZSTD_error_frameParameter_windowTooLarge",
        "Data corruption detected" => "ZSTD_error_corruption_detected",
        "Restored data doesn't match checksum" => "ZSTD_error_checksum_wrong",
        "Header of Literals' block doesn't respect format specification" => {
            "ZSTD_error_literals_headerWrong"
        }
        "Unsupported parameter" => "ZSTD_error_parameter_unsupported",
        "Unsupported combination of parameters" => "ZSTD_error_parameter_combination_unsupported",
        "Parameter is out of bound" => "ZSTD_error_parameter_outOfBound",
        "Context should be init first" => "ZSTD_error_init_missing",
        "Allocation error : not enough memory" => "ZSTD_error_memory_allocation",
        "workSpace buffer is not large enough" => "ZSTD_error_workSpace_tooSmall",
        "Operation not authorized at current processing stage" => "ZSTD_error_stage_wrong",
        "tableLog requires too much memory : unsupported" => "ZSTD_error_tableLog_tooLarge",
        "Unsupported max Symbol Value : too large" => "ZSTD_error_maxSymbolValue_tooLarge",
        "Specified maxSymbolValue is too small" => "ZSTD_error_maxSymbolValue_tooSmall",
        "pledged buffer stability condition is not respected" => {
            "ZSTD_error_stabilityCondition_notRespected"
        }
        "Dictionary is corrupted" => "ZSTD_error_dictionary_corrupted",
        "Dictionary mismatch" => "ZSTD_error_dictionary_wrong",
        "Cannot create Dictionary from provided samples" => "ZSTD_error_dictionaryCreation_failed",
        "Destination buffer is too small" => "ZSTD_error_dstSize_tooSmall",
        "Src size is incorrect" => "ZSTD_error_srcSize_wrong",
        "Operation on NULL destination buffer" => "ZSTD_error_dstBuffer_null",
        "Operation made no progress over multiple calls, due to output buffer being full" => {
            "ZSTD_error_noForwardProgress_destFull"
        }
        "Operation made no progress over multiple calls, due to input being empty" => {
            "ZSTD_error_noForwardProgress_inputEmpty"
        }
        _ => "ZSTD_error_GENERIC",
    }
}

fn strategy(number: u32) -> Strategy {
    match number {
        1 => Strategy::ZSTD_fast,
        2 => Strategy::ZSTD_dfast,
        3 => Strategy::ZSTD_greedy,
        4 => Strategy::ZSTD_lazy,
        5 => Strategy::ZSTD_lazy2,
        6 => Strategy::ZSTD_btlazy2,
        7 => Strategy::ZSTD_btopt,
        8 => Strategy::ZSTD_btultra,
        _ => Strategy::ZSTD_btultra2,
    }
}

/// Node's number of a parameter (`ZSTD_c_*`).
fn parameter(number: i32, value: i32) -> Option<CParameter> {
    let positive = u32::try_from(value).unwrap_or(0);
    Some(match number {
        100 => CParameter::CompressionLevel(value),
        101 => CParameter::WindowLog(positive),
        102 => CParameter::HashLog(positive),
        103 => CParameter::ChainLog(positive),
        104 => CParameter::SearchLog(positive),
        105 => CParameter::MinMatch(positive),
        106 => CParameter::TargetLength(positive),
        107 => CParameter::Strategy(strategy(positive)),
        160 => CParameter::EnableLongDistanceMatching(value == 1),
        161 => CParameter::LdmHashLog(positive),
        162 => CParameter::LdmMinMatch(positive),
        163 => CParameter::LdmBucketSizeLog(positive),
        164 => CParameter::LdmHashRateLog(positive),
        200 => CParameter::ContentSizeFlag(value != 0),
        201 => CParameter::ChecksumFlag(value != 0),
        202 => CParameter::DictIdFlag(value != 0),
        _ => return None,
    })
}

/// `numbers`: pledged size or -1, then parameter and value, in pairs.
pub(super) fn encoder(numbers: &[i32], dictionary: &[u8]) -> Result<Box<dyn Codec>, Failure> {
    let mut zstd = CCtx::create();
    for pair in numbers.get(1..).unwrap_or_default().chunks_exact(2) {
        if let Some(parameter) = parameter(pair[0], pair[1]) {
            zstd.set_parameter(parameter).map_err(failure)?;
        }
    }
    let pledged = numbers.first().and_then(|size| u64::try_from(*size).ok());
    if pledged.is_some() {
        zstd.set_pledged_src_size(pledged).map_err(failure)?;
    }
    if !dictionary.is_empty() {
        zstd.load_dictionary(dictionary).map_err(failure)?;
    }
    Ok(Box::new(Encoder { zstd, pledged }))
}

impl Codec for Encoder {
    fn step(&mut self, flush: u32, input: &[u8], output: &mut [u8]) -> Step {
        let directive = match flush {
            END => ZSTD_EndDirective::ZSTD_e_end,
            FLUSH => ZSTD_EndDirective::ZSTD_e_flush,
            _ => ZSTD_EndDirective::ZSTD_e_continue,
        };
        let mut from = InBuffer::around(input);
        let mut to = OutBuffer::around(output);
        let outcome = self.zstd.compress_stream2(&mut to, &mut from, directive);
        Step {
            read: from.pos(),
            written: to.pos(),
            failure: outcome.err().map(failure),
        }
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.zstd
            .reset(ResetDirective::SessionOnly)
            .map_err(failure)?;
        if self.pledged.is_some() {
            self.zstd
                .set_pledged_src_size(self.pledged)
                .map_err(failure)?;
        }
        Ok(())
    }
}
