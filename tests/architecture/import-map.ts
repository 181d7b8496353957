/** Ports that the flows may call; adapters implement them. */
const ports = [
  "billing/billing",
  "billing/catalogue",
  "billing/mail-repository",
  "billing/new-order",
  "billing/order-repository",
  "billing/order-sync",
  "billing/outbox",
  "billing/dunning",
  "billing/payment-repository",
  "billing/renewals",
  "billing/resellers",
  "billing/service-repository",
  "billing/session-repository",
  "billing/sign-in-requests",
  "billing/term-policy",
  "gateways/gateway",
  "mail/mailer",
  "provisioning/provisioner",
]

/** The billing port and its parts. */
const billingPorts = [
  "billing/billing",
  "billing/billing-stats",
  "billing/catalogue",
  "billing/customers",
  "billing/diagnostic",
  "billing/fraud-and-affiliates",
  "billing/mail-repository",
  "billing/new-order",
  "billing/order-repository",
  "billing/order-sync",
  "billing/outbox",
  "billing/dunning",
  "billing/payment-repository",
  "billing/rate-limit-table",
  "billing/renewals",
  "billing/resellers",
  "billing/service-repository",
  "billing/session-repository",
  "billing/sign-in-requests",
  "billing/term-policy",
]

/** The port of an external billing system, and the types that it shares with the billing port. */
const externalPorts = [
  "billing/billing",
  "billing/customers",
  "billing/diagnostic",
  "billing/new-order",
  "billing/renewals",
  "billing/resellers",
  "billing/external/external-billing",
  "billing/external/external-customers",
  "billing/external/external-orders",
  "billing/external/external-services",
]

/** The gateway port, and what the adapters of the providers share. */
const gatewayParts = [
  "gateways/fields",
  "gateways/gateway",
  "gateways/gateway-errors",
  "gateways/gateway-form",
  "gateways/webhook.server",
]

/**
 * Allowed imports of every folder in app/, in addition to the folder itself. A folder may not import anything that its
 * row does not name.
 * Adapters and layers inside a folder have their own rows. So does a single module that needs more than its folder.
 * `packages` restricts packages; without it, all are allowed.
 */
export const rows: Record<string, { modules: readonly string[]; packages?: readonly string[] }> = {
  // React Router's own modules.
  root: { modules: ["domain", "i18n", "middleware", "ssr", "ui"] },
  "entry.client": { modules: ["client", "domain", "i18n"], packages: ["react", "react-dom", "react-router"] },
  "entry.server": { modules: ["context", "i18n", "ssr", "ui/style"] },
  domain: { modules: [], packages: ["zod", "@zxcvbn-ts", "temporal-polyfill"] },
  http: { modules: [] },
  // Checks a posted form by its schema.
  "http/submitted-form.server": { modules: ["domain"], packages: ["@conform-to/zod", "zod"] },
  i18n: {
    modules: ["domain", "http/cookie.server"],
    packages: ["i18next", "react", "remix-i18next", "negotiator", "node:fs", "node:http"],
  },
  ui: {
    modules: ["domain", "i18n"],
    packages: ["react", "react-router", "@conform-to/react", "@tanstack/react-query", "@fontsource/lato"],
  },
  // The server renders the QR code of a payment link.
  "ui/waiting/qr-code.server": { modules: [], packages: ["lru-cache", "uqr"] },
  client: { modules: ["domain"], packages: ["serwist"] },
  config: { modules: ["domain"] },
  security: { modules: ["billing/rate-limit-table", "domain", "http/ip-address.server"] },
  billing: { modules: ["domain"] },
  "billing/embedded": {
    modules: [
      ...billingPorts,
      // A table of the database that the mirror describes.
      "billing/external/mirror/external-order-row",
      "domain",
      "http/ip-address.server",
      "security/password-threads.server",
      "security/worker-pool.server",
    ],
  },
  // Implements the store that the mirror of an external billing system states as a port.
  "billing/embedded/mirror-store": {
    modules: [
      "billing/embedded",
      "billing/external/external-orders",
      "billing/external/external-services",
      "billing/external/mirror/external-order-row",
      "billing/external/mirror/mirror-store",
      "domain",
    ],
  },
  "billing/external": { modules: [...externalPorts, "domain"] },
  // The local mirror of an external billing system opens the embedded engine, and uses its ports and the mirror's store.
  "billing/external/mirror": {
    modules: [
      ...billingPorts,
      ...externalPorts,
      "billing/embedded/mirror-store/mirror-engine.server",
      "domain",
      "gateways/gateway",
      "provisioning/provisioner",
    ],
  },
  "billing/external/remote": { modules: [...externalPorts, "domain", "http"] },
  "billing/external/whmcs": { modules: [...externalPorts, "domain", "http"] },
  gateways: { modules: ["domain", "http/strict-json", "http/upstream-error", "security/signature.server"] },
  "gateways/offshore": { modules: [...gatewayParts, "domain", "http", "security/signature.server"] },
  "gateways/coinbase": { modules: [...gatewayParts, "domain", "http", "security/signature.server"] },
  "gateways/btcpay": { modules: [...gatewayParts, "domain", "http", "security/signature.server"] },
  "gateways/cryptomus": { modules: [...gatewayParts, "domain", "http"] },
  sandbox: { modules: ["domain", "http", "i18n/detect-locale.server", "security/signature.server"] },
  "geo-ip": { modules: ["domain", "http"] },
  mail: { modules: ["domain", "security/hmac.server"] },
  "mail/smtp": { modules: ["mail/mailer", "domain"], packages: ["nodemailer"] },
  // Texts of their own; amounts and plan names as on the pages.
  "mail/messages": {
    modules: ["domain", "i18n/translation", "mail/message", "ui/layout/format", "ui/layout/plan-name"],
    packages: ["i18next", "react", "react-dom"],
  },
  provisioning: { modules: ["domain"] },
  "provisioning/local": { modules: ["provisioning/provisioner"] },
  "provisioning/webhook": { modules: ["provisioning/provisioner", "domain", "http"] },
  context: {
    modules: [
      ...ports,
      "billing/cached-catalogue.server",
      "billing/read-once.server",
      "config/logo-file.server",
      "domain",
      "geo-ip/country-lookup",
      "security",
    ],
    packages: ["node:crypto", "pino", "react-router", "zod"],
  },
  "flows/payments": { modules: ["context/services.server", "domain", ...ports], packages: [] },
  "flows/jobs": { modules: ["context/services.server", "domain", "flows/payments", ...ports], packages: [] },
  "flows/checkout": {
    modules: ["context/services.server", "domain", "flows/payments", "security/rate-limits.server", ...ports],
    packages: [],
  },
  "flows/services": {
    modules: [
      "context/services.server",
      "domain",
      "flows/checkout",
      "flows/jobs",
      "flows/payments",
      ...ports,
    ],
    packages: [],
  },
  "flows/customers": {
    modules: [
      "context/services.server",
      "domain",
      "security/rate-limits.server",
      "security/sign-in-codes.server",
      "security/signed-link.server",
      "security/worker-pool.server",
      ...ports,
    ],
    packages: [],
  },
  // Sends what the other flows have caused.
  "flows/mail": {
    modules: [
      "context/services.server",
      "domain",
      "flows/customers/sign-in-message.server",
      "flows/jobs/renew-lease.server",
      "mail/bounce-address.server",
      "mail/message",
      "mail/message-setting",
      "mail/messages/render-message.server",
      "mail/unsubscribe-link.server",
      "security/signature.server",
      ...ports,
    ],
    packages: [],
  },
  "flows/resellers": {
    modules: [
      "context/services.server",
      "domain",
      "flows/checkout",
      "flows/customers",
      "flows/services",
      "security/rate-limits.server",
      ...ports,
    ],
    packages: [],
  },
  // The served API: the contract defines the requests and responses of its endpoints.
  "billing-api": {
    modules: [
      "billing-api/contract",
      "billing-api/handlers",
      "context/request.server",
      "context/services.server",
      "http/form.server",
      ...ports,
    ],
  },
  "billing-api/contract": { modules: ["domain", "http/php-serialize", "http/php-unserialize"] },
  "billing-api/handlers": {
    modules: ["billing-api/contract", "context/services.server", "domain", "flows", ...ports],
    packages: [],
  },
  middleware: {
    modules: [
      "context",
      "domain",
      "flows",
      "http/cookie.server",
      "http/form.server",
      "http/submitted-form.server",
      "i18n/detect-locale.server",
      "security/rate-limits.server",
    ],
    packages: ["react-router", "isbot"],
  },
  routes: {
    modules: [
      "billing-api",
      "context",
      "domain",
      "flows",
      "http/form.server",
      "http/retry-after.server",
      "http/streamed-response.server",
      "http/submitted-form.server",
      "i18n",
      "middleware",
      "ssr/document",
      "ui",
    ],
  },
  ssr: {
    modules: [
      "context",
      "domain",
      "flows/checkout/resolve-pricing-context.server",
      "flows/services/accessible-services.server",
      "http/compression.server",
      "http/cookie.server",
      "i18n",
      "ui",
    ],
  },
  server: {
    modules: [
      "context",
      "domain",
      "flows/jobs",
      "flows/mail",
      "flows/services/renew-from-balance.server",
      "http/compression.server",
      "http/ip-address.server",
      "http/streamed-response.server",
      "http/strip-nul",
      "observability/request-instrumentation",
      "server/overload",
      "ssr",
    ],
  },
  // Process entry: starts the shop or a command of the command line.
  "server/main.server": {
    modules: [
      "cli/format",
      "cli/former-commands",
      "cli/main.server",
      "config",
      "context/services.server",
      "domain",
      "server",
      "wiring",
    ],
  },
  "server/overload": {
    modules: [
      "billing-api/contract/error-codes",
      "domain",
      "http/ip-address.server",
      "ssr/overload-page.server",
    ],
  },
  // Instruments ports, requests and outbound connections.
  observability: {
    modules: [
      "billing/billing-stats",
      "billing/mail-repository",
      "billing/payment-repository",
      "config/sampler-names",
      "context/services.server",
      "domain",
      "gateways/gateway",
    ],
    packages: ["prom-client", "react-router", "node:http", "node:diagnostics_channel", "@opentelemetry"],
  },
  wiring: {
    modules: [
      "billing",
      "config",
      "context/services.server",
      "domain",
      "gateways",
      "geo-ip",
      "mail",
      "observability",
      "provisioning",
      "sandbox",
      "security",
      "ssr/anonymous-page-cache.server",
      "ssr/page-cache.server",
    ],
  },
  cli: {
    modules: [
      "billing/billing",
      "billing/diagnostic",
      "billing/embedded",
      "billing/external/external-billing",
      "billing/payment-repository",
      "config",
      "context/services.server",
      "domain",
      "flows/checkout/held-order.server",
      "flows/payments",
      "gateways/forged-callback",
      "gateways/gateway",
      "mail",
      "security/hmac.server",
      "security/signed-link.server",
      "wiring/billing.server",
      "wiring/countries.server",
      "wiring/data-folder.server",
      "wiring/gateways.server",
      "wiring/generated-secrets.server",
      "wiring/mail.server",
      "wiring/private-files.server",
      "wiring/terms.server",
    ],
  },
}

/** Module names of adapters, and the folders that may import them. */
export const adapters =
  /^(billing\/(embedded|external\/(mirror|remote|whmcs))|gateways\/(?!gateway$)|mail\/smtp\/|geo-ip\/(?!country-lookup$)|provisioning\/(?!provisioner$)|sandbox\/)/
export const namesAdapters = ["wiring", "cli"]
