/** What React Router does in `loadRouteModule` when a route module cannot be loaded: it reloads, without end. */
export const endlessReload = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/

/**
 * React Router reloads the page whenever a route module cannot be loaded, possibly forever. This plugin makes the
 * import fail instead, and app/client/chunk-reload.ts limits the reloads. (Returning an error instead of a module does
 * not help: React Router ignores it and shows nothing.) The build fails if React Router's code has changed.
 * @returns {import("vite").Plugin}
 */
export function missingScreens() {
  let isFound = false
  return {
    name: "missing-screens",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code) {
      if (!endlessReload.test(code)) return
      isFound = true
      return code.replace(endlessReload, "return { default() { throw error } };")
    },
    generateBundle() {
      if (!isFound)
        this.error("React Router no longer reloads a page in loadRouteModule: is this still needed?")
    },
  }
}
