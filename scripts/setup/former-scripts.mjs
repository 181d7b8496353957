/** Former names of npm scripts, accepted until the next release, and the names that replace them. */
export const formerScripts = { books: "admin", shots: "screenshots" }

/**
 * Prints the new name on standard error if npm runs the script under a former name.
 * @param {string | undefined} script the script's name, as npm passes it on
 */
export function warnOfFormerScript(script = process.env.npm_lifecycle_event) {
  for (const [former, name] of Object.entries(formerScripts)) {
    if (script !== former) continue
    console.error(
      `"npm run ${former}" was renamed to "npm run ${name}"; the former name works until the next release.`,
    )
  }
}
