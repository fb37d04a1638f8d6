# SPDX-License-Identifier: GPL-3.0-or-later
# title: A request over HTTP
# route: urllib.request
# policy: refused import
# contained: network
# ends: finished raised timeout
import urllib.request

print(urllib.request.urlopen("http://127.0.0.1:@PORT@/stolen", timeout=1).read())
