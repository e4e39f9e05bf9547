# RSpec: a sender of webhooks against the receiver, which runs as a process of its own.
require 'json'
require 'net/http'
require 'openssl'

SECRET = 's3cret'

class Receiver
  attr_reader :url

  def initialize
    command = ENV.fetch('WAYBILL_RECEIVER', 'node_modules/.bin/waybill-receiver')
    @process = IO.popen("exec #{command} --json --port 0 --control-port 0 --secret #{SECRET}")
    opening = JSON.parse(@process.gets)
    @url, @control = opening.values_at('url', 'control')
  end

  def script(text)
    ask(Net::HTTP::Put, '/v1/script', { script: text })
  end

  def reset
    ask(Net::HTTP::Post, '/v1/reset')
  end

  def wait(count:, within: '10s')
    ask(Net::HTTP::Get, "/v1/wait?count=#{count}&within=#{within}")['requests']
  end

  def stop
    Process.kill('TERM', @process.pid)
    @process.close
  end

  private

  def ask(method, path, body = nil)
    uri = URI(@control + path)
    request = method.new(uri)
    request.body = JSON.generate(body) if body
    answer = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
    raise answer.body unless answer.is_a?(Net::HTTPSuccess)

    JSON.parse(answer.body)
  end
end

# Yours instead: it signs, and tries again what was not answered 2xx.
def send_event(url, event, attempts: 3)
  body = JSON.generate(event)
  headers = { 'Content-Type' => 'application/json', 'X-Signature' => OpenSSL::HMAC.hexdigest('SHA1', SECRET, body) }
  attempts.times.any? { Net::HTTP.post(URI(url), body, headers).is_a?(Net::HTTPSuccess) }
end

RSpec.describe 'the sender' do
  event = { type: 'track', event: 'Order Completed', messageId: 'm-1' }

  before(:all) { @receiver = Receiver.new }
  after(:all) { @receiver.stop }
  before { @receiver.reset }

  it 'tries again until it is answered' do
    @receiver.script('503x2,200')
    expect(send_event(@receiver.url, event)).to be true
    requests = @receiver.wait(count: 3)
    expect(requests.map { |one| one['answer']['said'] }).to eq %w[503 503 200]
    expect(requests.map { |one| one['signature']['verdict'] }).to all eq 'valid'
  end

  it 'gives up after three attempts' do
    @receiver.script('500')
    expect(send_event(@receiver.url, event)).to be false
    expect(@receiver.wait(count: 3).map { |one| one['attempt'] }).to eq [1, 2, 3]
  end
end
