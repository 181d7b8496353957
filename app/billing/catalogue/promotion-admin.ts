import type { Instant } from "~/domain/calendar"
import type { Promotion } from "~/domain/catalogue/promotion"

/** A promotion as operators see it. `maxUses`: null for no limit. `offSince`: null while it is on. */
export type PromotionDetails = Omit<Promotion, "remainingUses" | "isOff"> & {
  readonly maxUses: number | null
  readonly uses: number
  readonly offSince: Instant | null
}

/** A promotion with the field names of the catalogue file, not checked yet. */
export type PromotionFields = {
  readonly code: string
  readonly appliesto: string
  readonly type: string
  readonly value: string
  readonly currency?: string | undefined
  readonly startdate?: string | undefined
  readonly expirationdate?: string | undefined
  readonly maxuses: number
  readonly renewals: number
  readonly cycles: readonly string[]
  readonly maxusesperperson: number
}

/** What a field is refused for, in English. `field`: empty for the whole. */
export type PromotionFlaw = { readonly field: string; readonly message: string }

export type PromotionSaved =
  | { readonly kind: "saved"; readonly promotion: PromotionDetails }
  | { readonly kind: "invalid"; readonly flaws: readonly PromotionFlaw[] }
  /** Another promotion has the code. */
  | { readonly kind: "exists" }
  /** The promotion is not any more what was seen. */
  | { readonly kind: "changed" }
  | { readonly kind: "unknown" }

/** `used`: an order holds it, and has not been cancelled. `withdrawn`: an operator has taken it back unused. */
export const codeStates = ["unused", "used", "withdrawn"] as const
export type CodeState = (typeof codeStates)[number]

/** A code that is good for one order, at the terms of its promotion. */
export type OneTimeCode = {
  readonly code: string
  readonly state: CodeState
  readonly createdAt: Instant
  /** The order that holds it, and when that was placed. */
  readonly orderId: string | null
  readonly usedAt: Instant | null
  readonly withdrawnAt: Instant | null
}

export type NewCodes = { readonly codes: readonly string[]; readonly at: Instant }

export type CodeRange = {
  readonly state?: CodeState | undefined
  /** What they begin with. */
  readonly beginning?: string | undefined
  readonly after?: string | undefined
  readonly limit: number
}

export type CodeCounts = { readonly [state in CodeState]: number }

export type PromotionRange = {
  /** What their codes begin with. */
  readonly beginning?: string | undefined
  readonly after?: string | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** Port by which operators manage promotions. Codes in any spelling. Every call may throw a `BillingError`. */
export interface PromotionAdmin {
  /** Promotions by code, at most `limit`, those behind the code `after`, or before the code `before`, the nearest first. */
  promotions(range: PromotionRange): Promise<readonly PromotionDetails[]>
  /** Null for an unknown code. */
  promotionDetails(code: string): Promise<PromotionDetails | null>
  /** Checks the fields as the import of a catalogue file does, and adds the promotion. */
  addPromotion(fields: PromotionFields): Promise<PromotionSaved>
  /**
   * Checks likewise, and changes the promotion of the code, if it is what was `seen` but for its uses. Its uses stay, and placed
   * orders do.
   */
  changePromotion(fields: PromotionFields, seen: PromotionDetails): Promise<PromotionSaved>
  /** Orders are placed without it from now on. False if it is off already, or unknown. */
  switchOff(code: string, at: Instant): Promise<boolean>
  /** False if it is on already, or unknown. */
  switchOn(code: string): Promise<boolean>
  /** Adds one-time codes, all or none. False for an unknown promotion. */
  addCodes(promotion: string, codes: NewCodes): Promise<boolean>
  /** One-time codes of a promotion, by code, at most `limit`, those behind the code `after`. */
  codes(promotion: string, range: CodeRange): Promise<readonly OneTimeCode[]>
  /** How many one-time codes of a promotion are unused, used and withdrawn. */
  codeCounts(promotion: string): Promise<CodeCounts>
  /** Takes unused codes back, those that begin with a text; an empty one means all. Returns how many. */
  withdrawCodes(
    promotion: string,
    withdrawn: { readonly beginning: string; readonly at: Instant },
  ): Promise<number>
}
