"""Sixty lines that look a little like secrets and are none."""

INNOCENT = """
The commit is 3f786850e387550fdab836ed7e6dc881de23001b.
Release sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
The order has the id 123e4567-e89b-12d3-a456-426614174000.
"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
![dot](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==)
md5 d41d8cd98f00b204e9800998ecf8427e of an empty file
password: see 1Password
Password: ask Anna
The password is in the safe.
Password: required, at least 12 characters
password: 8-64 characters
Passwords are hashed with argon2id.
password: bcrypt12 and a salt
Password policy: 90 days
DB_PASSWORD=${DB_PASSWORD}
DB_PASSWORD=changeme
password = os.environ["DB_PASSWORD"]
password: process.env.DB_PASSWORD
const password = getPassword(user1)
password: <your-password>
password: ********
api_key = YOUR_API_KEY
API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx
token = settings.auth.token1
The token bucket refills 100 tokens a second.
max_tokens: 4096
tokenizer: bert-base-uncased-2024
The secret of good bread is time.
Secret Santa: Ben draws Mira.
secret: op://home/wifi/password1
Public key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGk0bW9ja2tleWZvcm5vb25lYXRhbGwx anna@laptop
The header is called Authorization.
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
bearer of good news
https://example.org/path?query=abcdef1234567890abcdef1234567890
https://user@example.org/repo.git
postgres://postgres:postgres@localhost:5432/app
mongodb://user:password@localhost/app
ssh://git@example.org:2222/anna/notes.git
curl -u user:pass https://example.org
See https://github.com/anna/notes/blob/3f786850e387550fdab836ed7e6dc881de23001b/README.md#L12
npm install left-pad@1.3.0
sk-learn is spelled scikit-learn.
The sk-8 keyboard has 61 keys.
The test can pass for a local run ([#450](https://example.org/issues/450)).
AKIAIOSFODNN7EXAMPLE is the key of the manual.
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx goes here.
ISBN 978-3-16-148410-0
IBAN DE89 3704 0044 0532 0130 00
Phone +49 30 901820
pin: see the card
GPIO pin: 13
Pass: 12 of 12 tests
密码在保险箱里。
密码：见 1Password
密码：至少12位，含数字
密钥保存在钥匙串中。
令牌桶每秒放一百个令牌。
重置密码后请重新登录。
""".strip().splitlines()
