import type { CatalogueSaying } from "~/billing/catalogue/catalogue-admin"
import type { Version, VersionRange } from "~/billing/versions"
import type { Instant } from "~/domain/calendar"
import type { Product } from "~/domain/catalogue/catalogue"
import { passedPrices, productsAt } from "~/domain/catalogue/scheduled-prices"
import type { DbContext } from "../db/transaction.server"
import {
  lastFormKeyIn,
  lastVersion,
  lastVersionRow,
  type NewVersion,
  type PassedVersion,
  versionOf,
  versionRow,
  versionsIn,
  writeVersion,
} from "../versions/version-table.server"
import { contentOf, readContent } from "./catalogue-file"

const TABLE = "catalogue_versions"

/** 0 without a version. */
export async function latestVersion(ctx: DbContext): Promise<number> {
  return (await lastVersion(ctx, TABLE))?.number ?? 0
}

/** See `Versions.lastFormKey`. */
export function lastFormKey(ctx: DbContext): Promise<string | null> {
  return lastFormKeyIn(ctx, TABLE)
}

export function versions(ctx: DbContext, range: VersionRange): Promise<readonly Version[]> {
  return versionsIn(ctx, TABLE, range)
}

export async function version(ctx: DbContext, number: number): Promise<(Version & CatalogueSaying) | null> {
  const row = await versionRow(ctx, TABLE, number)
  return row ? { ...versionOf(row), products: readContent(JSON.parse(row.content ?? "")) } : null
}

/** `stored`: the products of before, with scheduled prices that are in force by now. */
type Replacement = { readonly stored: readonly Product[]; readonly after: readonly Product[] }

/**
 * Writes a version, in the transaction that replaces the products, and before it. Products that are in no version, as after an
 * upgrade, become one first, so that they can be taken back to; then those that scheduled prices have come into force of.
 */
export async function recordVersion(ctx: DbContext, { stored, after }: Replacement, made: NewVersion) {
  const last = await lastVersionRow(ctx, TABLE)
  const present = textOf(stored)
  const found = last?.content === present || stored.length === 0 ? null : present
  const passed = passedVersions(stored, made.at)
  const before = textOf(productsAt(stored, made.at))
  return writeVersion(ctx, TABLE, { last, before, after: textOf(after), found, passed }, made)
}

function passedVersions(stored: readonly Product[], at: Instant): readonly PassedVersion[] {
  return passedPrices(stored, at).map(([from, prices]) => ({
    at: from,
    author: prices[0]?.author ?? null,
    reason: [...new Set(prices.map(({ reason }) => reason).filter((it) => it !== null))].join("; ") || null,
    content: textOf(productsAt(stored, from)),
  }))
}

function textOf(products: readonly Product[]): string {
  return JSON.stringify(contentOf(products))
}
