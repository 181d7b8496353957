import { randomInt } from "node:crypto"
import type { Logger } from "pino"
import { type CacheReads, cachedCatalogue } from "~/billing/cached-catalogue.server"
import type { EmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { isAnyOffered } from "~/billing/payments/gateway-drains"
import { stepCounter } from "~/billing/step-counter.server"
import { currenciesWithoutRateIn } from "~/billing/tax-admin"
import { analyticsOf } from "~/config/analytics.server"
import { type Environment, servesApi } from "~/config/config.server"
import type { Config } from "~/config/environment.server"
import { checkPlaylistTemplate } from "~/config/playlist-template.server"
import { readShopFile, unknownShopFields } from "~/config/shop-file.server"
import { readSettingFiles, shownSettings } from "~/config/shown-settings.server"
import { shownShopFile } from "~/config/shown-shop-file.server"
import type { Console, Services, ShopConfig } from "~/context/services.server"
import { DAY, dayIn, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { postCallback } from "~/gateways/post-callback.server"
import { allowsAddress } from "~/http/ip-address.server"
import type { Sandbox } from "~/sandbox/sandbox.server"
import { openApiAccess } from "~/security/api-tokens.server"
import { sealWith } from "~/security/cookie-encryption.server"
import { signWith } from "~/security/hmac.server"
import { passwordStrength } from "~/security/password-threads.server"
import { inMemory, sharedIn } from "~/security/rate-limit-store.server"
import { rateLimits } from "~/security/rate-limits.server"
import { approvalLimitOf } from "./approval-limit.server"
import { openBilling } from "./billing.server"
import { followBrand } from "./brand.server"
import { checkCurrency } from "./check-currency.server"
import { openCountries } from "./countries.server"
import { checkDatabaseIsNotLost, openDataFolder } from "./data-folder.server"
import { openGateways, openSandbox } from "./gateways.server"
import { secretsOf } from "./generated-secrets.server"
import { mailsOrders, openMailer, operatorEmailOf, senderOf } from "./mail.server"
import { newId } from "./new-id.server"
import { openProvisioner } from "./provisioner.server"
import { reportMissing } from "./report-missing.server"
import { secretSealsOf } from "./secret-seals.server"
import { reliableClock, shopClock } from "./shop-clock.server"
import { followTax, type SellerTexts } from "./tax.server"
import { termPolicyOf } from "./terms.server"
import { openVatNumbers } from "./vat-numbers.server"
import { openWebhookSender } from "./webhooks.server"

export type Wiring = {
  readonly services: Services
  readonly billing: EmbeddedBilling
  readonly sandbox: Sandbox | null
  readonly catalogueReads: Readonly<CacheReads>
  /** Registers the function that runs due outbox jobs. */
  onWake(wake: () => void): void
  /** Calls `moved` whenever the clock of the sandbox was moved ahead. */
  onClockMoved(moved: () => void): void
  /** Resolves when a flush to disk failed: nothing can be written any more, and the process must exit. */
  readonly diskFailed: Promise<void>
  close(): Promise<void>
}

/**
 * Composition root: with the other modules of this folder the only place that names an adapter. Throws if an upstream is
 * not configured.
 */
export async function wire(config: Config, log: Logger, environment: Environment): Promise<Wiring> {
  const filesAtStart = readSettingFiles(environment)
  const clock = shopClock()
  const { now } = clock
  checkPlaylistTemplate(config.PLAYLIST_TEMPLATE_FILE)
  openDataFolder(config.DATA_DIR)
  checkDatabaseIsNotLost(config)
  const diskFailed = Promise.withResolvers<void>()
  const onFlushFailed = (error: Error) => {
    log.fatal({ err: error }, "disk write failed: shutting down")
    diskFailed.resolve()
  }
  const fileTexts = readShopFile(config.SHOP_FILE)
  let sellerTexts = (): SellerTexts => fileTexts
  const { billing, lastKnown, mirror } = await openBilling(config, {
    now,
    log,
    onFlushFailed,
    sellerTexts: () => sellerTexts(),
  })
  const file = shopOf(config, billing)
  const stopTax = billing.tax ? followTax(billing.tax, log) : () => {}
  if (mirror) await orClose(billing, checkCurrency(billing.billing, config.CURRENCY))
  const brand = await followBrand(billing.brand, { file, log })
  const { shop } = brand
  sellerTexts = () => shop
  let clockMoved = () => {}
  const stopClock = config.sandbox
    ? await clock.follow(billing.operator, { log, onMoved: () => clockMoved() })
    : () => {}
  const sandbox = config.sandbox ? await openSandbox(config, { now, log }) : null
  const signer = signWith(secretsOf(config), "links")
  const mailer = await openMailer(config, {
    signer,
    shopName: () => shop.brand.name,
    sandboxUrl: sandbox?.smtpUrl ?? null,
  })
  const unknownFields = unknownShopFields(config.SHOP_FILE)
  reportMissing(
    {
      mailer,
      support: shop.links.support,
      unknownFields,
      isAnyOffered: isAnyOffered(config.GATEWAYS, await billing.drains.list()),
      currenciesWithoutRate: await currenciesWithoutRateIn(
        billing.tax,
        async () => (await billing.operator.exportCatalogue()).products,
        dayIn(config.TIME_ZONE, now()),
      ),
    },
    log,
  )
  const countries = await openCountries(config, { now, log })
  const catalogue = cachedCatalogue(billing.billing, {
    now,
    log,
    lastKnown,
    currency: config.CURRENCY,
    // With the page cache an imported price is shown within two seconds.
    ...(mirror === null ? { maxAge: SECOND } : { isExternal: true }),
  })
  let wakeJobs = () => {}
  const services: Services = {
    now,
    clockAhead: clock.ahead,
    isClockReliable: reliableClock({ now, log, isMovable: shop.testMode }),
    newId,
    shop,
    billing: billing.billing,
    payments: billing.payments,
    purchase: billing.purchase,
    outbox: billing.outbox,
    dunning: billing.dunning,
    mails: billing.mails,
    mailer,
    mailEventKeys: config.MAIL_EVENTS_KEY ?? [],
    healthy: billing.healthy,
    watchRestores: billing.watchRestores,
    sessions: billing.sessions,
    refunds: billing.refunds,
    hasExternalBilling: mirror !== null,
    isCreditExternal: billing.isCreditExternal,
    hasSingleCurrency: billing.hasSingleCurrency,
    bulk: billing.bulk,
    priceMoves: billing.priceMoves,
    signInRequests: billing.signInRequests,
    documents: billing.documents,
    emailChanges: billing.emailChanges,
    trials: billing.trials,
    steps: billing.steps,
    stepCounter: stepCounter({ steps: billing.steps, now, timeZone: config.TIME_ZONE }),
    orderSync: billing.orderSync,
    invoiceRenewals: billing.invoiceRenewals,
    planUpgrades: billing.planUpgrades,
    webhooks: billing.webhooks,
    webhookSender: openWebhookSender(config),
    catalogue,
    enabledGateways: config.GATEWAYS,
    gateways: openGateways(config, { now, sandbox, externalGateways: mirror, log }),
    tolerance: config.PAYMENT_TOLERANCE,
    provisioner: openProvisioner(config, mirror),
    countryOf: countries.countryOf,
    vatNumbers: openVatNumbers(config, { sandbox, now, log, taxRules: () => shop.tax }),
    rateLimits: rateLimits(billing.counters ? sharedIn(billing.counters) : inMemory),
    passwordStrength,
    sessionSeal: sealWith(secretsOf(config), "session"),
    signer,
    apiAuth: servedBy(config),
    console: consoleOf(config, billing, {
      brand: brand.console,
      settings: () =>
        shownSettings(environment, { atStart: filesAtStart, present: readSettingFiles(environment) }),
      unknownShopFields: unknownFields,
      shopFile: () => shownShopFile({ atStart: filesAtStart, present: readSettingFiles(environment) }),
    }),
    randomInt: (below) => randomInt(below),
    wakeJobs: () => wakeJobs(),
  }
  // Fills the cache at the start, in case the database becomes unavailable. Failures are logged by the cache.
  void Promise.allSettled([catalogue.plans(), catalogue.resellerPlans(), catalogue.gateways()])
  return {
    services,
    billing,
    sandbox,
    catalogueReads: catalogue.reads,
    diskFailed: diskFailed.promise,
    onWake: (wake) => {
      wakeJobs = wake
    },
    onClockMoved: (moved) => {
      clockMoved = moved
    },
    close: async () => {
      stopClock()
      stopTax()
      brand.stop()
      countries.close()
      mailer?.close()
      await sandbox?.close()
      await billing.close()
    },
  }
}

async function orClose(billing: EmbeddedBilling, check: Promise<void>): Promise<void> {
  try {
    await check
  } catch (error) {
    await billing.close()
    throw error
  }
}

function servedBy(config: Config): Services["apiAuth"] {
  const { BILLING_API_KEY: keys } = config
  return keys && servesApi(config) ? openApiAccess({ keys, secrets: secretsOf(config) }) : null
}

function consoleOf(
  config: Config,
  {
    operators,
    auditLog,
    approvals,
    overview,
    operator,
    unmatched,
    drains,
    promotions,
    catalogue,
    tax,
    storedSecrets,
  }: EmbeddedBilling,
  {
    brand,
    settings,
    shopFile,
    unknownShopFields: unknown,
  }: Pick<Console, "brand" | "settings" | "shopFile" | "unknownShopFields">,
): Services["console"] {
  const secretSeals = secretSealsOf(config)
  if (!secretSeals) return null
  return {
    operators,
    auditLog,
    approvals,
    overview,
    unmatched,
    drains,
    postCallback,
    promotions,
    catalogue,
    tax,
    brand,
    orders: operator,
    mail: operator,
    approveAbove: approvalLimitOf(config),
    settings,
    shopFile,
    unknownShopFields: unknown,
    customers: operator,
    resellers: operator,
    affiliates: operator,
    accounting: operator,
    documentNumbers: operator,
    services: operator,
    seal: secretSeals.operators,
    storedSecrets,
    secretSeals,
    idle: config.ADMIN_IDLE_MINUTES * MINUTE,
    longest: config.ADMIN_SESSION_HOURS * HOUR,
    machineNow: () => Date.now(),
    isAllowed: allowsAddress(config.ADMIN_ALLOW),
  }
}

function shopOf(config: Config, billing: EmbeddedBilling): ShopConfig {
  const { brand, ...file } = readShopFile(config.SHOP_FILE)
  return {
    brandVersion: 0,
    brand: { ...brand, name: config.SHOP_NAME ?? brand.name },
    publicUrl: config.PUBLIC_URL,
    currency: config.CURRENCY,
    timeZone: config.TIME_ZONE,
    terms: termPolicyOf(config) ?? null,
    defaultPlan: config.DEFAULT_PID ?? null,
    defaultResellerPlan: config.DEFAULT_RESELLER_PID ?? null,
    newResellerPlan: config.NEW_RESELLER_PID ?? null,
    testMode: config.sandbox,
    defaultCountry: config.DEFAULT_COUNTRY,
    retention: config.RETENTION_DAYS === null ? null : config.RETENTION_DAYS * DAY,
    fallbackAddress: config.FALLBACK_CLIENT_IP,
    fraudCheck: config.FRAUD_CHECK === "on",
    trustEmailLinks: config.TRUST_EMAIL_LINKS === "on",
    analytics: analyticsOf(config),
    mailSender: senderOf(config)?.address ?? null,
    mailsOrders: mailsOrders(config),
    operatorEmail: operatorEmailOf(config),
    ...file,
    get tax() {
      return billing.tax?.rules() ?? null
    },
  }
}
