/**
 * Returns a text as bytes with memory of their own. Node takes small buffers from a shared pool: a cached one would keep
 * its 64 KiB of the pool in memory.
 */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Copies bytes into memory of their own. */
export function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
