const ports = [
  "billing/billing",
  "billing/till",
  "billing/outbox",
  "gateways/gateway",
  "provisioning/provisioner",
]
const context = [
  ...["affiliate.server", "in-place", "locale.server", "order-in-hand.server", "request.server"],
  ...["services.server", "session.server"],
]
const billingPorts = [
  ...[
    "backoffice",
    "billing",
    "counters",
    "customers",
    "figures",
    "outbox",
    "resellers",
    "service-book",
    "their-customers",
  ],
  ...["their-orders", "their-services", "till", "visits"],
].map((port) => `billing/${port}`)

/**
 * Who may import whom inside app/, besides its own folder. What a row does not name, that folder may not import; a
 * folder inside another has a row of its own when it is an adapter. Packages are named where few are right.
 */
export const rows: Record<string, { modules: readonly string[]; packages?: readonly string[] }> = {
  domain: { modules: [], packages: ["zod"] },
  http: { modules: ["domain"] },
  locales: { modules: ["domain"], packages: ["i18next", "react"] },
  ui: {
    modules: ["domain", "locales", "http/order-status", "password-strength"],
    packages: ["react", "react-router", "@tanstack/react-query", "@fontsource/lato"],
  },
  billing: { modules: ["domain"] },
  "billing/wire": { modules: [...billingPorts, "domain", "http/php-serialize", "http/php-unserialize"] },
  "billing/embedded": { modules: [...billingPorts, "domain"] },
  // Our small books beside somebody else's: they are the embedded ones.
  "billing/beside": {
    modules: [
      ...[...billingPorts, "billing/cached-catalogue.server", "billing/embedded", "domain"],
      ...["gateways/gateway", "provisioning/provisioner"],
    ],
  },
  "billing/remote": { modules: [...billingPorts, "domain", "http"] },
  "billing/whmcs": { modules: [...billingPorts, "domain", "http"] },
  gateways: { modules: ["domain", "http"] },
  "gateways/sandbox": { modules: ["domain", "http"] },
  geo: { modules: ["domain", "http"] },
  provisioning: { modules: ["domain"] },
  "provisioning/local": { modules: ["provisioning/provisioner", "domain"] },
  "provisioning/webhook": { modules: ["provisioning/provisioner", "domain", "http"] },
  books: {
    modules: [
      "billing/backoffice",
      "billing/billing",
      "billing/embedded",
      "billing/till",
      "config.server",
      "domain",
      "gateways/gateway",
      "gateways/forged-callback",
      "local-secrets.server",
      "signature.server",
      "signed-link.server",
    ],
  },
  flows: {
    modules: [
      ...["domain", ...ports, "password-strength", "rate-limits.server", "services.server"],
      "signed-link.server",
    ],
    packages: [],
  },
  // The served API: what its calls say and answer is the wire's.
  "flows/api": {
    modules: ["billing/wire", "domain", "flows", ...ports, "services.server"],
    packages: [],
  },
  middleware: {
    modules: [
      ...["domain", "flows", "http/accept-language.server", "http/cookie.server", "http/form.server"],
      "rate-limits.server",
      ...context,
    ],
    packages: ["react-router", "isbot", "@conform-to/zod"],
  },
  routes: {
    modules: [
      "billing/wire",
      "document",
      "domain",
      "flows",
      "http/form.server",
      "locales",
      "middleware",
      ...ports,
      "problem.server",
      "ui",
      ...context,
    ],
  },
  server: {
    modules: [
      "billing/wire",
      "crowded-words.server",
      "domain",
      "flows",
      "http/accept-language.server",
      "http/ip-address.server",
      "http/keepable-text",
      "last-words.server",
      "problem.server",
      "request.server",
      "services.server",
      "watching/watched-request",
      "written-page.server",
    ],
  },
  // Sees the shop at its edges: ports that are counted, requests that go by, connections that are opened.
  watching: {
    modules: ["billing/figures", "billing/till", "domain", "gateways/gateway", "services.server"],
    packages: [
      ...[
        "prom-client",
        "react-router",
        "node:http",

        "node:diagnostics_channel",
        "@opentelemetry",
      ],
    ],
  },
}

/** Adapters by name, and the modules at the top of app/ that are there to name them. */
export const adapters =
  /^(billing\/(beside|embedded|remote|whmcs)|gateways\/(?!gateway$)|geo\/(?!country-lookup$)|provisioning\/(?!provisioner$))/
export const namesAdapters = ["wiring.server", "wiring-billing.server", "wiring-gateways.server"]
