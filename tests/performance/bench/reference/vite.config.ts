import { reactRouter } from "@react-router/dev/vite"
import { defineConfig } from "vite"

export default defineConfig({
  base: "/checkout/",
  plugins: [reactRouter()],
  resolve: { tsconfigPaths: true },
  build: { emptyOutDir: true },
})
