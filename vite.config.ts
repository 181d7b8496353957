import { reactRouter } from "@react-router/dev/vite"
import { defineConfig } from "vite"

export default defineConfig(({ isSsrBuild }) => ({
  base: "/checkout/",
  plugins: [reactRouter()],
  resolve: { tsconfigPaths: true },
  build: {
    // Tells the server which file of the browser build holds which language (languages.server.ts).
    manifest: true,
    // The server bundle is the whole process, so routes and server share one copy of every module.
    rollupOptions: isSsrBuild ? { input: "./app/server.ts" } : {},
  },
}))
