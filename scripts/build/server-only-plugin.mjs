/** Folders whose modules are only for the server, whatever their file names are. */
const serverOnly = /\/app\/mail\//

/**
 * The build fails if a module of these folders is in the browser's files: texts of messages in six languages would make
 * every page heavier.
 * @returns {import("vite").Plugin}
 */
export function serverOnlyFolders() {
  return {
    name: "server-only-folders",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    generateBundle(_options, bundle) {
      const inBrowser = modulesIn(bundle).filter((id) => serverOnly.test(id))
      if (inBrowser.length > 0)
        this.error(`Modules of mail are in the browser's files: ${inBrowser.join(", ")}`)
    },
  }
}

/**
 * All modules with code in a bundle. Vite has the modules as absolute paths with `/` on every system.
 * @param {Readonly<Record<string, { type: string, modules?: Readonly<Record<string, unknown>> }>>} bundle
 * @returns {string[]}
 */
function modulesIn(bundle) {
  return Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules))
}
