import { expect, test } from "vitest"
import { type CallbackAnswer, callbackTestOf } from "./callback-test"

const none: CallbackAnswer = {
  status: null,
  isShop: false,
  location: null,
  problem: null,
  isCertificate: false,
}

test.each<[string, Partial<CallbackAnswer>, string, RegExp]>([
  ["204 of the shop", { status: 204, isShop: true }, "accepted", /^Reached\./],
  ["401 of the shop", { status: 401, isShop: true }, "rejected", /other secrets.*rejected callbacks/],
  ["404 of the shop", { status: 404, isShop: true }, "shop-failed", /404: .*does not have this gateway/],
  ["503 of the shop", { status: 503, isShop: true }, "shop-failed", /status 503/],
  [
    "a redirect",
    { status: 301, location: "https://www.shop.test/" },
    "redirected",
    /301 to https:\/\/www\.shop\.test\//,
  ],
  ["a redirect of the shop", { status: 308, isShop: true }, "redirected", /status 308\. /],
  ["a page of a proxy", { status: 200 }, "another-program", /not from the shop/],
  [
    "200 of a program that names its requests too",
    { status: 200, isShop: true },
    "another-program",
    /Status 200/,
  ],
  ["204 of another program", { status: 204 }, "another-program", /Status 204/],
  ["a password of a proxy", { status: 401 }, "refused", /not by the shop/],
  ["a firewall", { status: 403 }, "refused", /status 403/],
  [
    "an invalid certificate",
    { problem: "invalid certificate", isCertificate: true },
    "certificate",
    /certificate/,
  ],
  [
    "no connection",
    { problem: "connection refused" },
    "unreachable",
    /itself: connection refused\. Many networks/,
  ],
])("a test callback that meets %s is explained", (_, answer, verdict, text) => {
  const { status = null } = answer
  expect(callbackTestOf({ ...none, ...answer })).toEqual({
    verdict,
    status,
    text: expect.stringMatching(text),
  })
})
