//! The URL of the server, and the rule that keeps load off other people's machines.

use std::net::{SocketAddr, ToSocketAddrs as _};

use crate::error::LoadError;

/// A parsed `http://` URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where to connect.
    pub address: SocketAddr,
    /// Value of the `Host` field line.
    pub host: String,
    /// Path and query, at least `/`.
    pub path: String,
}

impl Target {
    /// Parses and resolves `url`.
    ///
    /// # Errors
    /// [`LoadError::Usage`] when it is not `http://host[:port][/path]`, or resolves to an address that is not
    /// a loopback address while `allow_remote` is false; [`LoadError::Io`] when the name does not resolve.
    pub fn parse(url: &str, allow_remote: bool) -> Result<Self, LoadError> {
        let usage =
            || LoadError::Usage(format!("expected http://host[:port][/path], found {url:?}"));
        let rest = url.strip_prefix("http://").ok_or_else(usage)?;
        let split = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, path) = rest.split_at(split);
        if host.is_empty() || host.contains('@') {
            return Err(usage());
        }
        let has_port = host
            .rsplit(']')
            .next()
            .is_some_and(|tail| tail.contains(':'));
        let name = if has_port {
            host.to_owned()
        } else {
            format!("{host}:80")
        };
        let address = name.to_socket_addrs()?.next().ok_or_else(usage)?;
        if !allow_remote && !address.ip().is_loopback() {
            let text = format!(
                "{} is not a loopback address: add --allow-remote if that machine is yours",
                address.ip()
            );
            return Err(LoadError::Usage(text));
        }
        let slash = if path.starts_with('/') { "" } else { "/" };
        Ok(Self {
            address,
            host: host.to_owned(),
            path: format!("{slash}{path}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_host_port_path_and_query() {
        let target = Target::parse("http://127.0.0.1:81/a?b=1", false).unwrap();
        assert_eq!(target.address, "127.0.0.1:81".parse().unwrap());
        assert_eq!(
            (target.host.as_str(), target.path.as_str()),
            ("127.0.0.1:81", "/a?b=1")
        );
        assert_eq!(Target::parse("http://[::1]", false).unwrap().path, "/");
        assert_eq!(
            Target::parse("http://127.0.0.1?q", false).unwrap().path,
            "/?q"
        );
    }

    #[test]
    fn refuses_other_machines_unless_allowed() {
        assert!(Target::parse("http://192.0.2.1:80/", false).is_err());
        assert!(Target::parse("http://192.0.2.1:80/", true).is_ok());
        assert!(Target::parse("https://127.0.0.1/", false).is_err());
        assert!(Target::parse("http://", false).is_err());
    }
}
