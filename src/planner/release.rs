//! SGLang releases: which are known, in what order, and ranges of them.
//!
//! A release is a row of one table. Every "since" and "until" in this crate is a
//! [`Range`] over it, and only [`Range::contains`] judges one. What a release
//! *does* is in `behaviour.rs` and in the rules.

use serde::{Serialize, Serializer};
use std::fmt;

/// A released version of SGLang that the planner knows. Ordered by release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release(u8);

macro_rules! releases {
    ($($constant:ident $name:literal,)+) => {
        /// The names of all known releases, oldest first.
        pub const NAMES: &[&str] = &[$($name),+];
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "the variants are the constants' names; only their order is used")]
        enum Order { $($constant),+ }
        impl Release {
            $(#[doc = concat!("SGLang ", $name, ".")]
            pub const $constant: Release = Release(Order::$constant as u8);)+
            /// All known releases, oldest first.
            pub const ALL: &[Release] = &[$(Release::$constant),+];
        }
    };
}

releases! {
    V0_5_10 "0.5.10",
    V0_5_10_POST1 "0.5.10.post1",
    V0_5_11 "0.5.11",
    V0_5_12 "0.5.12",
    V0_5_12_POST1 "0.5.12.post1",
    V0_5_13 "0.5.13",
    V0_5_13_POST1 "0.5.13.post1",
    V0_5_14 "0.5.14",
    V0_5_15 "0.5.15",
    V0_5_15_POST1 "0.5.15.post1",
    V0_5_16 "0.5.16",
    V0_5_17 "0.5.17",
    V0_5_18 "0.5.18",
    V0_5_19 "0.5.19",
    V0_5_20 "0.5.20",
    V0_5_21 "0.5.21",
    V0_5_22 "0.5.22",
    V0_5_23 "0.5.23",
}

impl Release {
    /// The newest release that the planner knows.
    pub const NEWEST: Release = match Release::ALL.last() {
        Some(newest) => *newest,
        None => Release(0),
    };

    /// The release as SGLang names it, such as `0.5.15.post1`.
    pub fn name(self) -> &'static str {
        NAMES.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// The release of that name; a leading `v` is allowed.
    pub fn named(name: &str) -> Option<Release> {
        let name = name.strip_prefix('v').unwrap_or(name);
        Release::ALL.iter().copied().find(|r| r.name() == name)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Release {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// What to say of a release that the planner does not know.
pub fn unknown(name: &str) -> String {
    format!("SGLang \"{name}\" is not a release the planner knows; it knows {}", NAMES.join(", "))
}

/// A half-open range of releases: from one (inclusive) until another (exclusive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first release in the range.
    pub from: Release,
    /// The first release after the range; `None` when it is still open.
    pub until: Option<Release>,
}

impl Range {
    /// Every release the planner knows and those to come.
    pub const ALL: Range = Range::since(Release::V0_5_10);

    /// `from` and everything after it.
    pub const fn since(from: Release) -> Range {
        Range { from, until: None }
    }

    /// `from` and everything after it, but not `until` or later.
    pub const fn between(from: Release, until: Release) -> Range {
        Range { from, until: Some(until) }
    }

    /// Whether `release` lies in the range.
    pub fn contains(self, release: Release) -> bool {
        release >= self.from && self.until.is_none_or(|until| release < until)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.until {
            None => write!(f, "{} and later", self.from),
            Some(until) => write!(f, "{} until before {until}", self.from),
        }
    }
}

impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Ends {
            from: Release,
            until: Option<Release>,
        }
        Ends { from: self.from, until: self.until }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_its_first_release_and_not_its_last() {
        let range = Range::between(Release::V0_5_16, Release::V0_5_18);
        let held: Vec<_> = Release::ALL.iter().filter(|r| range.contains(**r)).map(|r| r.name()).collect();
        assert_eq!(held, ["0.5.16", "0.5.17"]);
    }

    #[test]
    fn a_release_is_found_by_its_name() {
        for release in Release::ALL {
            assert_eq!(Release::named(release.name()), Some(*release));
            assert_eq!(Release::named(&format!("v{release}")), Some(*release));
        }
        assert_eq!(Release::named("0.5.9"), None);
        assert_eq!(Release::NEWEST.name(), "0.5.23");
    }
}
