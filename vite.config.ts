import { fileURLToPath } from "node:url"
import { reactRouter } from "@react-router/dev/vite"
import { defineConfig, type Plugin } from "vite"
import { reactAsModule } from "./scripts/build/react-esm-plugin.mjs"
import { lightFonts } from "./scripts/build/strip-font-hinting.mjs"

/**
 * React Router loads the page anew whenever a screen cannot be fetched, for ever if need be. Here such a screen fails
 * like any other, and app/client/chunk-reload.ts says how often the page may be loaded anew. (An error instead of a screen would
 * not do: React Router swallows it and shows nothing.) The build fails when React Router has changed.
 */
function missingScreens(): Plugin {
  const endless = /window\.location\.reload\(\);\s*return new Promise\(\(\) => \{\s*\}\);/
  let isFound = false
  return {
    name: "missing-screens",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code) {
      if (!endless.test(code)) return
      isFound = true
      return code.replace(endless, "return { default() { throw error } };")
    },
    generateBundle() {
      if (!isFound)
        this.error("React Router no longer reloads a page in loadRouteModule: is this still needed?")
    },
  }
}

/** The thread that hashes and rates passwords is a program of its own beside the server's. */
function passwordWorker(): Plugin {
  return {
    name: "password-worker",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    buildStart() {
      this.emitFile({
        ...{ type: "chunk", fileName: "password-worker.js" },
        id: fileURLToPath(new URL("app/security/password-worker.server.ts", import.meta.url)),
      })
    },
  }
}

/** React Router brings a build without its warnings, and names it nowhere: without this, production runs the other. */
const withoutWarnings = Object.entries({ "react-router": "index", "react-router/dom": "dom-export" }).map(
  ([name, file]) => ({
    find: new RegExp(`^${name}$`),
    replacement: fileURLToPath(
      new URL(`node_modules/react-router/dist/production/${file}.mjs`, import.meta.url),
    ),
  }),
)

/**
 * Only what is used of these becomes part of the server; as modules of their own they are kept in memory whole. In
 * development they stay outside: Vite would run their CommonJS as modules, where there is no `require`.
 */
const largelyUnused = [
  ...["kysely", "zod", "@conform-to/zod", "@conform-to/dom", "jose", "cockatiel"],
  ...["@tanstack/react-query", "@tanstack/query-core", "rate-limiter-flexible"],
]

/** A request each is what a phone waits for longest: what every screen needs, and what choosing and paying share, comes in one file. */
const frame = {
  name: "frame",
  test: /node_modules\/(react|react-dom|react-router|scheduler|i18next)\/|front:react|vite\/preload-helper/,
}
const ofEveryScreen = [
  ...["icons", "use-", "format", "form-errors", "checkout-step", "plan-name"],
  "fetch-order-version",
]
const ofChoosing = [
  ...["coin-name", "gateway-picker", "quote-lines", "email-field", "promo-field"],
  ...["order-summary", "ordering-paused", "pay-button"],
]
const shared = {
  name: "shared",
  test: new RegExp(`/app/(domain|i18n/use-|ui/[a-z]+/(${[...ofEveryScreen, ...ofChoosing].join("|")}))`),
  minShareCount: 2,
}

export default defineConfig(({ isSsrBuild, command }) => ({
  base: "/checkout/",
  plugins: [missingScreens(), passwordWorker(), reactAsModule(), lightFonts(), reactRouter()],
  resolve: { tsconfigPaths: true, alias: command === "build" ? withoutWarnings : [] },
  ssr: {
    noExternal: ["react-router", "@react-router/node", ...(command === "build" ? largelyUnused : [])],
  },
  build: {
    // Tells the server which file of the browser build holds which language (app/i18n/load-language.server.ts).
    manifest: true,
    // The server bundle is the whole process, so routes and server share one copy of every module. All of it lies in
    // one folder: some of it finds the browser's files by its own place.
    rollupOptions: isSsrBuild
      ? { input: "./app/server/main.server.ts", output: { chunkFileNames: "[name]-[hash].js" } }
      : { output: { codeSplitting: { groups: [frame, shared] } } },
  },
}))
