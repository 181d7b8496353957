import type { Config } from "@react-router/dev/config"

export default {
  basename: "/checkout/",
  ssr: true,
  // scripts/commands/build.mjs builds beside the running build and then puts the new one in its place.
  buildDirectory: process.env.BUILD_DIR ?? "build",
  // All routes are known from the first page: no manifest requests while a visitor moves on.
  routeDiscovery: { mode: "initial" },
  future: {
    v8_middleware: true,
    // Loaders get the request itself; without it every loader gets a copy that costs as much as the loader.
    v8_passThroughRequests: true,
  },
} satisfies Config
