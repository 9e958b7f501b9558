//! Settings without effect: no memory has their policy, or another setting excludes them. They are errors, because
//! their author expects an effect.

use super::config::OsConfig;
use super::policy::{HugetextConfig, PagePolicy, ThpConfig, ThpEnabled};
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};

/// Checks that every setting has an effect.
///
/// # Errors
/// `bad-config` at the setting.
pub(super) fn check(config: &OsConfig) -> Result<()> {
    // `enabled` says which memory may have huge pages. The setting alone makes no huge page.
    if config.thp != (ThpConfig { enabled: config.thp.enabled, ..ThpConfig::default() }) {
        let is_daemon = config.thp.khugepaged.is_some();
        let field = if is_daemon { "thp.khugepaged" } else { "thp" };
        used(config, field, "thp", |pages| pages == PagePolicy::Thp)?;
    }
    thp(&config.thp)?;
    for (number, pool) in config.hugetlb.iter().enumerate() {
        let field = format!("hugetlb[{number}].size");
        let policy = format!("hugetlb-{}", pool.size);
        used(config, &field, &policy, |pages| takes_from(pages, pool.size))?;
    }
    let text = &config.hugetext;
    if *text != (HugetextConfig { enabled: text.enabled, ..HugetextConfig::default() }) {
        used(config, "hugetext", "hugetext", |pages| pages == PagePolicy::Hugetext)?;
    }
    if text.enabled == 2 && text.pad_threshold > 0 {
        let why = "only text of files has a tail to pad, and enabled is 2, anonymous executable memory \
                   only: make it 1 or 3, or leave pad_threshold out";
        return Err(Error::config("hugetext.pad_threshold", why));
    }
    Ok(())
}

fn thp(thp: &ThpConfig) -> Result<()> {
    if thp.enabled == ThpEnabled::Never && thp.khugepaged.is_some() {
        let why = "khugepaged does not run while enabled is \"never\": make it \"always\" or \
                   \"madvise\", or leave khugepaged out";
        return Err(Error::config("thp.khugepaged", why));
    }
    if thp.fragmentation > 0 && !tries(thp) {
        let why = "no setting makes huge pages: let faults (at_fault) or khugepaged make them, or \
                   leave fragmentation out";
        return Err(Error::config("thp.fragmentation", why));
    }
    Ok(())
}

/// Returns whether anything may make a huge page.
fn tries(thp: &ThpConfig) -> bool {
    thp.enabled != ThpEnabled::Never && (thp.at_fault || thp.khugepaged.is_some())
}

impl OsConfig {
    /// Removes the settings without effect, after a change of policies or settings. The remaining settings pass the
    /// check.
    pub fn remove_idle(&mut self) {
        if !has(self, |pages| pages == PagePolicy::Thp) {
            self.thp = ThpConfig::default();
        }
        if !has(self, |pages| pages == PagePolicy::Hugetext) {
            self.hugetext = HugetextConfig::default();
        }
        if self.thp.enabled == ThpEnabled::Never {
            self.thp.khugepaged = None;
        }
        if !tries(&self.thp) {
            self.thp.fragmentation = 0;
        }
        if self.hugetext.enabled == 2 {
            self.hugetext.pad_threshold = 0;
        }
        let mut pools = std::mem::take(&mut self.hugetlb);
        pools.retain(|pool| has(self, |pages| takes_from(pages, pool.size)));
        self.hugetlb = pools;
    }
}

/// Checks that some memory has the policy of a setting.
///
/// # Errors
/// `bad-config` at `field` if no memory has the policy.
fn used(
    config: &OsConfig,
    field: &str,
    policy: &str,
    is_it: impl Fn(PagePolicy) -> bool,
) -> Result<()> {
    if has(config, is_it) {
        return Ok(());
    }
    let message = format!(
        "no memory has the policy {policy}: make default or the pages of a region \"{policy}\", or leave this out"
    );
    Err(Error::config(field, message))
}

fn has(config: &OsConfig, is_it: impl Fn(PagePolicy) -> bool) -> bool {
    is_it(config.default) || config.regions.iter().any(|region| is_it(region.pages))
}

/// Returns whether memory of a policy takes pages of a size from their pool. The edges of larger pages do, too.
fn takes_from(pages: PagePolicy, size: PageSize) -> bool {
    matches!(pages, PagePolicy::Hugetlb(largest) if size <= largest)
}
