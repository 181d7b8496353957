import { parse } from "node:path"
import { layout, prefix, type RouteConfig, type RouteConfigEntry, route } from "@react-router/dev/routes"

/**
 * A screen in a folder of its own. Its id has no folder: a tab that was opened before a release asks for its data by the id that it
 * knows, and traces name the loader by it, so it stays when the file moves.
 */
function screen(path: string, file: string): RouteConfigEntry {
  return route(path, file, { id: `routes/${parse(file).name}` })
}

/** A page of the console, likewise: its id has no folder of a subject. */
function consoleRoute(path: string, file: string): RouteConfigEntry {
  return route(path, file, { id: `routes/admin/${parse(file).name}` })
}

export default [
  // URLs without a screen: each carries the middleware that it needs.
  route("api/health", "routes/api/health.ts"),
  route("api/live", "routes/api/live.ts"),
  route("api/order-status", "routes/api/order-status.ts"),
  route("api/purchase-step", "routes/api/purchase-step.ts"),
  route("aff/new_click", "routes/api/new-click.ts"),
  route("api/openapi.json", "routes/api/openapi.ts"),
  route("api/mail/events", "routes/api/mail-events.ts"),
  route("api/:call", "routes/api/billing-api.ts"),
  route("api/payments/:gateway/callback", "routes/api/payment-callback.ts"),
  ...prefix(":locale?", [
    route("manifest.webmanifest", "routes/files/manifest.ts"),
    route("success/playlist.m3u8", "routes/files/playlist.ts"),
    route("resellers/statement.csv", "routes/files/reseller-statement.ts"),
    route("resellers/lines.csv", "routes/files/reseller-lines.ts"),
    route("documents/:file", "routes/files/tax-document.ts"),
    route("documents/proforma/:file", "routes/files/proforma.ts"),
  ]),
  // The operator's console: its pages are documents without script, so none of them has a component here.
  layout("routes/admin/console.ts", [
    consoleRoute("admin/sign-in", "routes/admin/operators/sign-in.tsx"),
    consoleRoute("admin/set-up", "routes/admin/operators/set-up.tsx"),
    layout("routes/admin/signed-in.ts", [
      consoleRoute("admin", "routes/admin/shop/overview.tsx"),
      consoleRoute("admin/first-day", "routes/admin/shop/first-day.tsx"),
      consoleRoute("admin/account", "routes/admin/operators/account.tsx"),
      consoleRoute("admin/audit", "routes/admin/operators/audit.tsx"),
      consoleRoute("admin/orders", "routes/admin/orders/orders.tsx"),
      consoleRoute("admin/orders/export", "routes/admin/orders/orders-export.tsx"),
      consoleRoute("admin/orders/:number", "routes/admin/orders/order.tsx"),
      consoleRoute("admin/orders/:number/timeline.csv", "routes/admin/orders/order-timeline.ts"),
      consoleRoute("admin/customers", "routes/admin/customers/customers.tsx"),
      consoleRoute("admin/customers/export", "routes/admin/customers/customers-export.tsx"),
      consoleRoute("admin/customers/:id", "routes/admin/customers/customer.tsx"),
      consoleRoute("admin/orders/:number/documents/:file", "routes/admin/orders/order-document.ts"),
      consoleRoute("admin/customers/:id/export", "routes/admin/customers/customer-export.tsx"),
      consoleRoute("admin/customers/:id/view", "routes/admin/customers/customer-view.tsx"),
      consoleRoute("admin/services", "routes/admin/services/services.tsx"),
      consoleRoute("admin/services/export", "routes/admin/services/services-export.tsx"),
      consoleRoute("admin/services/:number", "routes/admin/services/service.tsx"),
      consoleRoute("admin/jobs", "routes/admin/jobs.tsx"),
      consoleRoute("admin/mail", "routes/admin/mail/mails.tsx"),
      consoleRoute("admin/mail/suppressed", "routes/admin/mail/suppressed-addresses.tsx"),
      consoleRoute("admin/mail/:id", "routes/admin/mail/mail.tsx"),
      consoleRoute("admin/blocks", "routes/admin/blocks.tsx"),
      consoleRoute("admin/gateways", "routes/admin/payments/gateways.tsx"),
      consoleRoute("admin/gateways/:gateway", "routes/admin/payments/gateway.tsx"),
      consoleRoute("admin/catalogue", "routes/admin/catalogue/catalogue.tsx"),
      consoleRoute("admin/catalogue/products", "routes/admin/catalogue/catalogue-new-product.tsx"),
      consoleRoute("admin/catalogue/products/:pid", "routes/admin/catalogue/catalogue-product.tsx"),
      consoleRoute("admin/catalogue/products/:pid/renewals", "routes/admin/catalogue/catalogue-renewals.tsx"),
      consoleRoute("admin/catalogue/products/:pid/prices", "routes/admin/catalogue/catalogue-prices.tsx"),
      consoleRoute("admin/catalogue/options", "routes/admin/catalogue/catalogue-new-option.tsx"),
      consoleRoute("admin/catalogue/options/:id", "routes/admin/catalogue/catalogue-option.tsx"),
      consoleRoute("admin/catalogue/versions/:number", "routes/admin/catalogue/catalogue-version.tsx"),
      consoleRoute("admin/catalogue/preview", "routes/admin/catalogue/catalogue-preview.tsx"),
      consoleRoute("admin/tax", "routes/admin/tax/tax.tsx"),
      consoleRoute("admin/tax/rules", "routes/admin/tax/tax-rules.tsx"),
      consoleRoute("admin/tax/versions/:number", "routes/admin/tax/tax-version.tsx"),
      consoleRoute("admin/brand", "routes/admin/brand/brand.tsx"),
      consoleRoute("admin/brand/versions/:number", "routes/admin/brand/brand-version.tsx"),
      consoleRoute("admin/brand/preview/:draft", "routes/admin/brand/brand-preview.tsx"),
      consoleRoute("admin/brand/logo/:draft", "routes/admin/brand/brand-logo.ts"),
      consoleRoute("admin/brand/:part", "routes/admin/brand/brand-part.tsx"),
      consoleRoute("admin/promotions", "routes/admin/catalogue/promotions.tsx"),
      consoleRoute("admin/promotions/:code", "routes/admin/catalogue/promotion.tsx"),
      consoleRoute("admin/promotions/:code/codes", "routes/admin/catalogue/promotion-codes.tsx"),
      consoleRoute("admin/resellers", "routes/admin/resellers/resellers.tsx"),
      consoleRoute("admin/resellers/:id", "routes/admin/resellers/reseller.tsx"),
      consoleRoute("admin/affiliates", "routes/admin/affiliates/affiliates.tsx"),
      consoleRoute("admin/affiliates/:id", "routes/admin/affiliates/affiliate.tsx"),
      consoleRoute("admin/accounting", "routes/admin/accounting/accounting.tsx"),
      consoleRoute("admin/accounting/one-stop-shop", "routes/admin/accounting/one-stop-shop.tsx"),
      consoleRoute("admin/rejected-callbacks", "routes/admin/payments/rejected-callbacks.tsx"),
      consoleRoute("admin/rejected-callbacks/:id", "routes/admin/payments/rejected-callback.tsx"),
      consoleRoute("admin/rejected-callbacks/:id/body", "routes/admin/payments/rejected-callback-body.ts"),
      consoleRoute("admin/unmatched-payments", "routes/admin/payments/unmatched-payments.tsx"),
      consoleRoute("admin/unmatched-payments/:id", "routes/admin/payments/unmatched-payment.tsx"),
      consoleRoute("admin/webhooks", "routes/admin/webhooks/webhooks.tsx"),
      consoleRoute("admin/webhooks/:id", "routes/admin/webhooks/webhook.tsx"),
      consoleRoute("admin/backups", "routes/admin/shop/backups.tsx"),
      consoleRoute("admin/settings", "routes/admin/shop/settings.tsx"),
      consoleRoute("admin/operators", "routes/admin/operators/operators.tsx"),
      consoleRoute("admin/operators/:id", "routes/admin/operators/operator.tsx"),
      consoleRoute("admin/bulk", "routes/admin/bulk/bulk.tsx"),
      consoleRoute("admin/bulk/:id", "routes/admin/bulk/bulk-run.tsx"),
      consoleRoute("admin/bulk/:id/result.csv", "routes/admin/bulk/bulk-result.ts"),
      consoleRoute("admin/sign-out", "routes/admin/operators/sign-out.ts"),
      consoleRoute("admin/*", "routes/admin/not-found.ts"),
    ]),
  ]),
  layout("routes/page.tsx", [
    // No index route: a form posts to the page's own address, without "?index" behind it.
    screen(":locale?", "routes/checkout/checkout.tsx"),
    ...prefix(":locale?", [
      route("offline", "routes/offline.tsx"),
      route("api/mail/unsubscribe", "routes/unsubscribe.tsx"),
      screen("trial", "routes/trial/trial.tsx"),
      screen("withdraw", "routes/withdrawal/withdrawal.tsx"),
      route("business", "routes/scriptless/business.tsx"),
      route("country", "routes/scriptless/country.tsx"),
      screen("creatingOrder", "routes/checkout/creating-order.tsx"),
      screen("waiting", "routes/waiting/waiting.tsx"),
      screen("success", "routes/success/success.tsx"),
      screen("upsell", "routes/upsell/upsell.tsx"),
      screen("renew", "routes/renewal/renew.tsx"),
      screen("resellers", "routes/resellers/resellers.tsx"),
      screen("resellers/waiting", "routes/resellers/reseller-waiting.tsx"),
      screen("resellers/success", "routes/resellers/reseller-success.tsx"),
    ]),
    route("*", "routes/not-found.tsx"),
  ]),
] satisfies RouteConfig
