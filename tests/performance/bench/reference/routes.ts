import { index, type RouteConfig, route } from "@react-router/dev/routes"

// biome-ignore lint/style/noDefaultExport: React Router asks for it
export default [index("checkout.tsx"), route("waiting", "waiting.tsx")] satisfies RouteConfig
