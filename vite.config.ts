import { fileURLToPath } from "node:url"
import { reactRouter } from "@react-router/dev/vite"
import { defineConfig, type Plugin } from "vite"
import { consoleScript } from "./scripts/build/console-script-plugin.mjs"
import { lazyConsole } from "./scripts/build/lazy-console-plugin.mjs"
import { missingScreens } from "./scripts/build/missing-screens-plugin.mjs"
import { reactAsModule } from "./scripts/build/react-esm-plugin.mjs"
import { productionFiles } from "./scripts/build/react-router-production.mjs"
import { rootInSharedFile } from "./scripts/build/root-in-shared-file-plugin.mjs"
import { serverOnlyFolders } from "./scripts/build/server-only-plugin.mjs"
import { withoutServerOnlyTexts } from "./scripts/build/server-only-texts-plugin.mjs"
import { lightFonts } from "./scripts/build/strip-font-hinting.mjs"

/** The worker thread that hashes and rates passwords is a separate entry of the server build. */
function passwordWorker(): Plugin {
  return {
    name: "password-worker",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    buildStart() {
      this.emitFile({
        type: "chunk",
        fileName: "password-worker.js",
        id: fileURLToPath(new URL("app/security/password-worker.server.ts", import.meta.url)),
      })
    },
  }
}

/** Without this alias, production runs React Router's development build. */
const withoutWarnings = Object.entries(productionFiles).map(([name, replacement]) => ({
  find: new RegExp(`^${name}$`),
  replacement,
}))

/** Conform imports helpers that Babel writes for older browsers; these are shorter. */
const modernHelpers = {
  find: /^\.\/_virtual\/_rollupPluginBabelHelpers\.mjs$/,
  replacement: fileURLToPath(new URL("scripts/build/conform-object-spread.mjs", import.meta.url)),
}

/**
 * What the server takes of these packages, whose index would load all of each: undici's HTTP/2, cache and mocks, every store
 * of the rate limiter, React's rendering to streams.
 */
const partsOfPackages = [
  {
    find: /^undici$/,
    replacement: fileURLToPath(new URL("scripts/build/parts/undici.mjs", import.meta.url)),
  },
  {
    find: /^rate-limiter-flexible$/,
    replacement: fileURLToPath(new URL("scripts/build/parts/rate-limiter-flexible.mjs", import.meta.url)),
  },
  {
    find: /^react-dom\/server$/,
    replacement: fileURLToPath(new URL("scripts/build/parts/react-dom-server.mjs", import.meta.url)),
  },
]

/**
 * The server bundles only the used parts of these packages; as external modules they would be loaded whole. In
 * development they stay external: Vite would run their CommonJS as modules, where `require` does not exist.
 */
const largelyUnused = [
  "kysely",
  "zod",
  "@conform-to/react",
  "@conform-to/zod",
  "@conform-to/dom",
  "jose",
  "cockatiel",
  "@tanstack/react-query",
  "@tanstack/query-core",
  "rate-limiter-flexible",
  "react",
]

/**
 * Requests dominate load time on a phone, so code that every screen needs, and code that checkout and payment share, is
 * one chunk each.
 */
const frame = {
  name: "frame",
  // The layout route has no code for browsers: a file of its own would be an empty request on every page. So this file is
  // its module too; the minifier's names of its exports are none of those that React Router reads.
  test: /node_modules\/(react|react-dom|react-router|scheduler|i18next|@conform-to)\/|conform-object-spread|front:react|vite\/preload-helper|routes\/page\.tsx/,
}
const ofEveryScreen = [
  "icons",
  "use-",
  "format",
  "field-error",
  "error-summary",
  "checkout-step",
  "plan-name",
]
const ofChoosing = [
  "coin-name",
  "gateway-picker",
  "quote-lines",
  "email-field",
  "email-input",
  "offer-shown",
  "order-form",
  "promo-field",
  "order-summary",
  "pay-button",
  "plan-cards",
]
/** Modules of these folders that only some later pages need. */
const ofLaterPages = [
  "password-strength",
  "device-address",
  "order-status",
  "upsell",
  "service",
  "timeline",
  "credential",
  "reload-link",
  "unpaid-order",
]
const shared = {
  name: "shared",
  test: new RegExp(
    `/app/(root|ssr/|i18n/use-|(domain/([a-z-]+/)?|ui/layout/)(?!${ofLaterPages.join("|")})[^/]*$|ui/[a-z]+/(${[...ofEveryScreen, ...ofChoosing].join("|")}))`,
  ),
}

/**
 * Packages that Vite prepares for browsers before the first page of `npm run dev`. If it found another one while a page
 * loads, that page would get 504 for its scripts and stay without them.
 */
const prepared = [
  "@conform-to/react",
  "@conform-to/zod/v4",
  "@tanstack/react-query",
  "cookie",
  "i18next",
  "isbot",
  "negotiator",
  "remix-i18next/server",
  "set-cookie-parser",
  "zod",
]

export default defineConfig(({ isSsrBuild, command }) => ({
  base: "/checkout/",
  plugins: [
    missingScreens(),
    serverOnlyFolders(),
    withoutServerOnlyTexts(),
    passwordWorker(),
    consoleScript(),
    lazyConsole(),
    reactAsModule(),
    lightFonts(),
    reactRouter(),
    rootInSharedFile(),
  ],
  resolve: {
    tsconfigPaths: true,
    alias: command === "build" ? [...withoutWarnings, modernHelpers, ...partsOfPackages] : [],
  },
  // The bundled React is the one for production, whatever NODE_ENV the shop is started with.
  define: command === "build" ? { "process.env.NODE_ENV": '"production"' } : {},
  optimizeDeps: { include: prepared },
  ssr: {
    noExternal: ["react-router", "@react-router/node", ...(command === "build" ? largelyUnused : [])],
  },
  build: {
    // Safari 16.3 and before, on phones that get no newer one, does not know `width <= 699px`, to which `max-width` would be shortened, and
    // would ignore all that is for phones alone.
    cssTarget: ["safari15.4", "chrome100", "firefox102"],
    // The manifest tells the server which file of the browser build holds which language
    // (app/i18n/load-i18n.server.ts).
    manifest: true,
    // scripts/build/third-party-notices.mjs collects what each build names here.
    license: { fileName: ".vite/license.json" },
    // The server bundle is the whole process, so routes and server share one copy of every module. Its files are in one
    // folder, because some find the browser's files relative to their own path.
    rollupOptions: isSsrBuild
      ? {
          input: "./app/server/main.server.ts",
          output: {
            chunkFileNames: "[name]-[hash].js",
            // V8 holds the text of each file, and one character beyond Latin-1 makes it hold two bytes for every character.
            charset: "ascii",
            comments: { jsdoc: false },
          },
        }
      : {
          // The libraries read no property and no global for its side effects.
          treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
          output: { codeSplitting: { groups: [frame, shared] } },
        },
  },
}))
