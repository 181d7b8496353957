import { layout, prefix, type RouteConfig, route } from "@react-router/dev/routes"

export default [
  // URLs without a screen: each carries the middleware that it needs.
  route("api/health", "routes/api/health.ts"),
  route("api/live", "routes/api/live.ts"),
  route("api/order-status", "routes/api/order-status.ts"),
  route("aff/new_click", "routes/api/new-click.ts"),
  route("api/openapi.json", "routes/api/openapi.ts"),
  route("api/mail/events", "routes/api/mail-events.ts"),
  route("api/:call", "routes/api/billing-api.ts"),
  route("api/payments/:gateway/callback", "routes/api/payment-callback.ts"),
  ...prefix(":locale?", [
    route("manifest.webmanifest", "routes/files/manifest.ts"),
    route("success/playlist.m3u8", "routes/files/playlist.ts"),
  ]),
  layout("routes/page.tsx", [
    // No index route: a form posts to the page's own address, without "?index" behind it.
    route(":locale?", "routes/checkout.tsx"),
    ...prefix(":locale?", [
      route("offline", "routes/offline.tsx"),
      route("api/mail/unsubscribe", "routes/unsubscribe.tsx"),
      route("creatingOrder", "routes/creating-order.tsx"),
      route("waiting", "routes/waiting.tsx"),
      route("success", "routes/success.tsx"),
      route("upsell", "routes/upsell.tsx"),
      route("resellers", "routes/resellers.tsx"),
      route("resellers/waiting", "routes/reseller-waiting.tsx"),
      route("resellers/success", "routes/reseller-success.tsx"),
    ]),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig
