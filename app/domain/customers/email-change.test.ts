import { describe, expect, test } from "vitest"
import { DAY, MINUTE } from "../calendar"
import { RECENT_PROOF_PERIOD } from "./customer"
import {
  EMAIL_CODE_PERIOD,
  EMAIL_UNDO_PERIOD,
  type EmailChange,
  hasRecentMailProof,
  stageOf,
} from "./email-change"

const NOON = 1_000 * DAY
const asked: EmailChange = {
  id: "e1",
  customerId: "c1",
  formerEmail: "ana@example.test",
  newEmail: "anna@example.test",
  createdAt: NOON,
  confirmedAt: null,
  revertedAt: null,
  endedAt: null,
}
const confirmed = { ...asked, confirmedAt: NOON + MINUTE }

describe("a change of e-mail", () => {
  test.each([
    ["is open until its code expires", asked, EMAIL_CODE_PERIOD - 1, "open"],
    ["is over with its code", asked, EMAIL_CODE_PERIOD, "over"],
    ["can be undone for seven days", confirmed, MINUTE + EMAIL_UNDO_PERIOD - 1, "confirmed"],
    ["can no longer be undone then", confirmed, MINUTE + EMAIL_UNDO_PERIOD, "over"],
    ["is over once another one has replaced it", { ...asked, endedAt: NOON }, 0, "over"],
    ["is over once an earlier one was undone", { ...confirmed, endedAt: NOON + DAY }, DAY, "over"],
    ["stays reverted", { ...confirmed, revertedAt: NOON, endedAt: NOON }, 300 * DAY, "reverted"],
  ])("%s", (_, change, after, stage) => {
    expect(stageOf(change, NOON + after)).toBe(stage)
  })
})

describe("recent proof by mail", () => {
  test.each([
    ["a sign-in by mail a moment ago", { how: "link", at: NOON - RECENT_PROOF_PERIOD + 1 }, true],
    ["a sign-in by mail a quarter of an hour ago", { how: "link", at: NOON - RECENT_PROOF_PERIOD }, false],
    ["a password", { how: "password", at: NOON }, false],
    ["an unsigned link", { how: "trusted-link", at: NOON }, false],
    ["nothing", null, false],
  ] as const)("is or is not: %s", (_, proof, isRecent) => {
    expect(hasRecentMailProof(proof, NOON)).toBe(isRecent)
  })
})
