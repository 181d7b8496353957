import { type PhpValue, phpSerialize } from "~/http/php-serialize"

/** Encodes configurable options or custom fields for WHMCS: `base64(serialize(map))` in PHP terms. */
export function encodedMap(map: ReadonlyMap<string, PhpValue>): string {
  return Buffer.from(phpSerialize(map), "utf8").toString("base64")
}
