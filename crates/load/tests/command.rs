//! The program: options, files, JSON, exit codes, signals.

mod support;

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use support::{Server, ok};

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fulmar-load"));
    command.args(arguments);
    command
}

fn echo_server() -> Server {
    Server::start(|request, stream| {
        let body = String::from_utf8_lossy(&request.body);
        let text = format!("{} {body}", request.target());
        stream.write_all(&ok(&text)).map(|()| true)
    })
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn prints_json_and_a_summary() {
    let server = echo_server();
    let url = format!("http://{}/a?b", server.address);
    let output = command(&[
        &url,
        "-c",
        "2",
        "-n",
        "50",
        "-X",
        "POST",
        "-H",
        "X-Y: z",
        "--body",
        "n={{counter}}",
        "--expect-body",
        "/a?b n={{counter}}",
        "--expect-header",
        "content-length: 9",
        "--expect-status",
        "200",
    ])
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let report = json(&output);
    assert_eq!(report["tool"], "fulmar-load");
    assert_eq!(report["schema"], 1);
    assert_eq!(report["requests"]["answered"], 50);
    assert_eq!(
        report["errors"]["wrong_header"], 10,
        "numbers below 10 are a digit shorter"
    );
    assert_eq!(report["partial"], false);
    assert!(report["cpu"]["us_per_reply"].is_number());
    assert!(String::from_utf8_lossy(&output.stderr).contains("verified replies/s"));
}

#[test]
fn reads_requests_from_a_file() {
    let server = echo_server();
    let path = std::env::temp_dir().join(format!("fulmar-load-{}.json", std::process::id()));
    let text = r#"[
        { "path": "/one", "expect": { "body": "/one " } },
        { "method": "PUT", "path": "/{{id}}", "headers": ["A: b"], "body": "x", "expect": { "body": "/{{id}} x", "status": 200 } }
    ]"#;
    std::fs::write(&path, text).unwrap();
    let url = format!("http://{}", server.address);
    let output = command(&[
        &url,
        "-n",
        "10",
        "-q",
        "--requests-file",
        path.to_str().unwrap(),
    ])
    .output()
    .unwrap();
    std::fs::remove_file(&path).unwrap();
    let report = json(&output);
    assert_eq!(
        (&report["requests"]["verified"], &report["errors"]["total"]),
        (&10.into(), &0.into())
    );
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn says_what_is_wrong_with_its_options() {
    let cases: [(&[&str], &str); 6] = [
        (&["http://192.0.2.1/"], "--allow-remote"),
        (&["https://127.0.0.1/"], "expected http://"),
        (
            &["http://127.0.0.1:1/", "-c", "0"],
            "1 to 10000 connections",
        ),
        (
            &["http://127.0.0.1:1/", "--body", "{{x}}"],
            "counter, id or uuid",
        ),
        (
            &["http://127.0.0.1:1/", "--expect-sha1", "zz"],
            "40 hexadecimal digits",
        ),
        (&["http://127.0.0.1:1/", "--duration=-1"], "seconds"),
    ];
    for (arguments, expected) in cases {
        let output = command(arguments).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn an_interrupt_ends_the_run_with_a_partial_result() {
    let server = echo_server();
    let url = format!("http://{}/", server.address);
    let child = command(&[&url, "-d", "60"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while server.requests() < 50 {
        std::thread::yield_now();
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let report = json(&output);
    assert_eq!(
        (&report["partial"], &report["partial_reason"]),
        (&true.into(), &"interrupted".into())
    );
    assert!(report["requests"]["verified"].as_u64().unwrap() > 0);
}
