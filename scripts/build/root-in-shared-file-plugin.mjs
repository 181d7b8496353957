/**
 * The root route is a module of the file that all screens share. React Router asks the bundler that the file of a route exports
 * nothing but what the route exports, so the root got a file of its own with one line, which each first load requested.
 * @returns {import("vite").Plugin}
 */
export function rootInSharedFile() {
  return {
    name: "root-in-shared-file",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
  }
}
