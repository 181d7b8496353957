import { fileURLToPath } from "node:url"

/**
 * The script of the console is an entry of its own, since no page of the checkout imports it. The build's manifest tells the
 * server its file (app/ssr/console-page.server.tsx).
 * @returns {import("vite").Plugin}
 */
export function consoleScript() {
  return {
    name: "console-script",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    buildStart() {
      const id = fileURLToPath(new URL("../../app/client/console-page.ts", import.meta.url))
      this.emitFile({ type: "chunk", id, name: "console" })
    },
  }
}
