//! Times one cold start: `start <port> <path> <program> [argument…]`.
//!
//! The program gets a line on its standard input when it may begin (the harness puts a shell before the
//! server that waits for it and then becomes the server); from just before that line, `127.0.0.1:<port>` is
//! asked every 0.1 ms. Prints one line of JSON: microseconds until a connection was accepted and until the
//! last byte of the first reply, and that reply. Then the program is killed.
#![forbid(unsafe_code)]

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpStream};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const POLL: Duration = Duration::from_micros(100);
const WAIT_MAX: Duration = Duration::from_secs(60);

struct Start {
    listening: Duration,
    replied: Duration,
    reply: String,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, path, program, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: start <port> <path> <program> [argument…]");
        return ExitCode::from(2);
    };
    let Ok(port) = port.parse() else {
        eprintln!("a port expected, {port} found");
        return ExitCode::from(2);
    };
    match start(port, path, Command::new(program).args(rest)) {
        Ok(Start {
            listening,
            replied,
            reply,
        }) => {
            let result = serde_json::json!({
                "listening_us": listening.as_micros(),
                "first_reply_us": replied.as_micros(),
                "reply": reply,
            });
            println!("{result}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("start: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start(port: u16, path: &str, command: &mut Command) -> io::Result<Start> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let outcome = timed(port, path, &mut child);
    let _ended = child.kill();
    child.wait()?;
    outcome
}

fn timed(port: u16, path: &str, child: &mut Child) -> io::Result<Start> {
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    if let Some(output) = child.stdout.as_mut() {
        output.read_exact(&mut [0])?; // The shell waits.
    }
    let mut input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    let started = Instant::now();
    input.write_all(b"\n")?;
    drop(input);
    let mut listening = None;
    loop {
        let attempt = Instant::now();
        if let Ok(mut stream) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
            let listening = *listening.get_or_insert_with(|| started.elapsed());
            if let Ok(reply) = ask(&mut stream, &request)
                && !reply.is_empty()
            {
                return Ok(Start {
                    listening,
                    replied: started.elapsed(),
                    reply,
                });
            }
        }
        if let Some(status) = child.try_wait()? {
            return Err(io::Error::other(format!(
                "ended with {status} before it answered"
            )));
        }
        if started.elapsed() > WAIT_MAX {
            return Err(io::Error::other("gave no answer in time"));
        }
        // Sleeping would take longer than what is waited for.
        while attempt.elapsed() < POLL {
            std::hint::spin_loop();
        }
    }
}

fn ask(stream: &mut TcpStream, request: &str) -> io::Result<String> {
    stream.set_read_timeout(Some(WAIT_MAX))?;
    stream.write_all(request.as_bytes())?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply)?;
    Ok(String::from_utf8_lossy(&reply).into_owned())
}
