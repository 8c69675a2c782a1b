<?php
// Receives webhooks with what PHP has itself.
//   WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8000 receiver.php
declare(strict_types=1);

const MAX_BODY_BYTES = 1_000_000;
/** Older messages may be recordings that somebody sends again. */
const MAX_AGE_SECONDS = 300;

/** Whether one of the signatures is ours, and the message is not old. */
function isGenuine(string $body, string $secret): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > MAX_AGE_SECONDS) {
        return false;
    }
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/**
 * Messages come at least once, in any order: only the newest change of a record counts. PHP forgets everything after a
 * request, so keep the last position of each record in your database, and return if this one is not higher.
 */
function handle(array $message): void
{
    error_log(trim($message['type'] . ' ' . ($message['data']['id'] ?? '')));
}

// The signature covers the bytes, so they are checked before they are parsed.
$body = file_get_contents('php://input', length: MAX_BODY_BYTES + 1);
$isTooLarge = strlen($body) > MAX_BODY_BYTES;
$status = $isTooLarge ? 413 : (isGenuine($body, getenv('WEBHOOK_SECRET') ?: '') ? 204 : 401);
if ($status === 204) {
    handle(json_decode($body, true, flags: JSON_THROW_ON_ERROR));
}
http_response_code($status);
